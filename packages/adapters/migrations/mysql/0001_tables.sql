create table if not exists `user` (
  `id` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
  `name` text character set utf8mb4,
  `email` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin,
  `emailVerified` datetime(3),
  `image` text character set utf8mb4,
  constraint `user_email_unique` unique (`email`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `account` (
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `type` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `providerAccountId` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `refresh_token` text character set utf8mb4,
  `access_token` text character set utf8mb4,
  `expires_at` bigint,
  `token_type` text character set utf8mb4,
  `scope` text character set utf8mb4,
  `id_token` text character set utf8mb4,
  `session_state` text character set utf8mb4,
  primary key (`provider`, `providerAccountId`),
  index `postern_account_userId` (`userId`),
  foreign key (`userId`) references `user` (`id`) on delete cascade
) engine = InnoDB default character set utf8mb4;
create table if not exists `session` (
  `sessionToken` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `expires` datetime(3) not null,
  index `postern_session_expires` (`expires`),
  index `postern_session_userId` (`userId`),
  index `postern_session_userId_expires` (`userId`, `expires`),
  foreign key (`userId`) references `user` (`id`) on delete cascade
) engine = InnoDB default character set utf8mb4;
create table if not exists `verificationToken` (
  `identifier` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `token` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `expires` datetime(3) not null,
  index `postern_verificationToken_expires` (`expires`),
  primary key (`identifier`, `token`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_lock` (
  `key` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
  `owner` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `until` bigint not null
) engine = InnoDB default character set utf8mb4;
