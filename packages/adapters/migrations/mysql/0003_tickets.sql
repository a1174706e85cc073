create table if not exists `postern_account` (
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `providerAccountId` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `email` text character set utf8mb4 not null,
  `verifiedAt` datetime(3) not null,
  primary key (`provider`, `providerAccountId`),
  index `postern_evidence_userId` (`userId`)
) engine = InnoDB default character set utf8mb4;
create table if not exists `postern_ticket` (
  `kind` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `id` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin,
  `data` text character set utf8mb4 not null,
  `tries` int not null,
  `expires` datetime(3) not null,
  primary key (`kind`, `id`),
  index `postern_ticket_userId` (`userId`),
  index `postern_ticket_expires` (`expires`)
) engine = InnoDB default character set utf8mb4;
