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
  `id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null primary key,
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
