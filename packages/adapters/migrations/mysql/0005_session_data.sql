alter table `postern_session` add column `data` text character set utf8mb4;
