create table if not exists `postern_session` (
  `id` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `sessionToken` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin,
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin,
  `providerSessionId` varchar(500) character set utf8mb4 collate utf8mb4_0900_bin,
  `userAgent` text character set utf8mb4,
  `address` text character set utf8mb4,
  `createdAt` datetime(3) not null,
  `lastSeen` datetime(3) not null,
  `expires` datetime(3) not null,
  constraint `postern_record_sessionToken` unique (`sessionToken`),
  index `postern_record_userId_expires` (`userId`, `expires`),
  index `postern_record_provider` (`provider`, `providerSessionId`),
  index `postern_record_expires` (`expires`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_revocation` (
  `subject` varchar(300) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
  `version` bigint not null,
  `until` datetime(3) not null,
  `noted` bigint not null,
  index `postern_revocation_noted` (`noted`),
  index `postern_revocation_until` (`until`)
) engine = InnoDB default character set utf8mb4;
