create table if not exists "postern_session" (
  "id" text primary key not null,
  "userId" text not null,
  "sessionToken" text,
  "provider" text,
  "providerSessionId" text,
  "userAgent" text,
  "address" text,
  "createdAt" integer not null,
  "lastSeen" integer not null,
  "expires" integer not null
);
create unique index if not exists "postern_record_sessionToken" on "postern_session" ("sessionToken");
create index if not exists "postern_record_userId_expires" on "postern_session" ("userId", "expires");
create index if not exists "postern_record_provider" on "postern_session" ("provider", "providerSessionId");
create index if not exists "postern_record_expires" on "postern_session" ("expires");
create table if not exists "postern_revocation" (
  "subject" text primary key not null,
  "version" integer not null,
  "until" integer not null,
  "noted" integer not null
);
create index if not exists "postern_revocation_noted" on "postern_revocation" ("noted");
create index if not exists "postern_revocation_until" on "postern_revocation" ("until");
