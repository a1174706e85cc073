create table if not exists `user` (
  `id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin primary key not null,
  `name` text character set utf8mb4,
  `email` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `emailVerified` datetime(3),
  `image` text character set utf8mb4,
  constraint `user_email_unique` unique (`email`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `account` (
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `type` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `providerAccountId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
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
  `sessionToken` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin primary key not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `expires` datetime(3) not null,
  index `postern_session_userId` (`userId`),
  index `postern_session_userId_expires` (`userId`, `expires`),
  index `postern_session_expires` (`expires`),
  foreign key (`userId`) references `user` (`id`) on delete cascade
) engine = InnoDB default character set utf8mb4;
create table if not exists `verificationToken` (
  `identifier` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `token` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `expires` datetime(3) not null,
  primary key (`identifier`, `token`),
  index `postern_verificationToken_expires` (`expires`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_lock` (
  `key` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin primary key not null,
  `owner` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `until` bigint not null
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_session` (
  `id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin primary key not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `sessionToken` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `providerSessionId` varchar(500) character set utf8mb4 collate utf8mb4_nopad_bin,
  `userAgent` text character set utf8mb4,
  `address` text character set utf8mb4,
  `createdAt` datetime(3) not null,
  `lastSeen` datetime(3) not null,
  `expires` datetime(3) not null,
  `data` text character set utf8mb4,
  constraint `postern_record_sessionToken` unique (`sessionToken`),
  index `postern_record_userId_expires` (`userId`, `expires`),
  index `postern_record_provider` (`provider`, `providerSessionId`),
  index `postern_record_expires` (`expires`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_revocation` (
  `subject` varchar(300) character set utf8mb4 collate utf8mb4_nopad_bin primary key not null,
  `version` bigint not null,
  `until` datetime(3) not null,
  `noted` bigint not null,
  index `postern_revocation_noted` (`noted`),
  index `postern_revocation_until` (`until`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_account` (
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `providerAccountId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `email` text character set utf8mb4 not null,
  `verifiedAt` datetime(3) not null,
  primary key (`provider`, `providerAccountId`),
  index `postern_evidence_userId` (`userId`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_ticket` (
  `kind` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `data` text character set utf8mb4 not null,
  `tries` int not null,
  `expires` datetime(3) not null,
  `dueAt` datetime(3),
  primary key (`kind`, `id`),
  index `postern_ticket_userId` (`userId`),
  index `postern_ticket_expires` (`expires`),
  index `postern_ticket_dueAt` (`dueAt`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_factor` (
  `type` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `name` text character set utf8mb4,
  `data` text character set utf8mb4 not null,
  `createdAt` datetime(3) not null,
  `lastUsedAt` datetime(3),
  `version` int not null,
  primary key (`type`, `id`),
  index `postern_factor_userId` (`userId`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_event` (
  `id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin primary key not null,
  `time` datetime(3) not null,
  `type` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `sessionId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `ip` text character set utf8mb4,
  `userAgent` text character set utf8mb4,
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `requestId` text character set utf8mb4,
  `data` text character set utf8mb4,
  index `postern_event_userId` (`userId`, `time`),
  index `postern_event_time` (`time`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_user` (
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin primary key not null,
  `version` bigint not null,
  `sessionsFrom` bigint not null,
  `suspendedAt` datetime(3),
  `changeId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `until` datetime(3),
  `deleteAfter` datetime(3),
  index `postern_user_deleteAfter` (`deleteAfter`)
) engine = InnoDB default character set utf8mb4;
