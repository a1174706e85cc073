create table if not exists "user" (
  "id" text primary key not null,
  "name" text,
  "email" text,
  "emailVerified" integer,
  "image" text
);
create unique index if not exists "user_email_unique" on "user" ("email");
create table if not exists "account" (
  "userId" text not null,
  "type" text not null,
  "provider" text not null,
  "providerAccountId" text not null,
  "refresh_token" text,
  "access_token" text,
  "expires_at" integer,
  "token_type" text,
  "scope" text,
  "id_token" text,
  "session_state" text,
  primary key ("provider", "providerAccountId"),
  foreign key ("userId") references "user" ("id") on delete cascade
);
create index if not exists "postern_account_userId" on "account" ("userId");
create table if not exists "session" (
  "sessionToken" text primary key not null,
  "userId" text not null,
  "expires" integer not null,
  foreign key ("userId") references "user" ("id") on delete cascade
);
create index if not exists "postern_session_userId_expires" on "session" ("userId", "expires");
create index if not exists "postern_session_expires" on "session" ("expires");
create table if not exists "verificationToken" (
  "identifier" text not null,
  "token" text not null,
  "expires" integer not null,
  primary key ("identifier", "token")
);
create index if not exists "postern_verificationToken_expires" on "verificationToken" ("expires");
create table if not exists "postern_lock" (
  "key" text primary key not null,
  "owner" text not null,
  "until" integer not null
);
create index if not exists "postern_lock_until" on "postern_lock" ("until");
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
  "expires" integer not null,
  "data" text
);
create unique index if not exists "postern_record_sessionToken" on "postern_session" ("sessionToken");
create index if not exists "postern_record_userId_expires" on "postern_session" ("userId", "expires");
create index if not exists "postern_record_provider" on "postern_session" ("provider", "providerSessionId") where "provider" is not null and "providerSessionId" is not null;
create index if not exists "postern_record_expires" on "postern_session" ("expires");
create table if not exists "postern_revocation" (
  "subject" text primary key not null,
  "version" integer not null,
  "until" integer not null,
  "noted" integer not null
);
create index if not exists "postern_revocation_noted" on "postern_revocation" ("noted");
create index if not exists "postern_revocation_until" on "postern_revocation" ("until");
create table if not exists "postern_account" (
  "provider" text not null,
  "providerAccountId" text not null,
  "userId" text not null,
  "email" text not null,
  "verifiedAt" integer not null,
  primary key ("provider", "providerAccountId")
);
create index if not exists "postern_evidence_userId" on "postern_account" ("userId");
create table if not exists "postern_ticket" (
  "kind" text not null,
  "id" text not null,
  "userId" text,
  "data" text not null,
  "tries" integer not null,
  "expires" integer not null,
  "dueAt" integer,
  primary key ("kind", "id")
);
create index if not exists "postern_ticket_userId" on "postern_ticket" ("userId") where "userId" is not null;
create index if not exists "postern_ticket_expires" on "postern_ticket" ("expires");
create index if not exists "postern_ticket_dueAt" on "postern_ticket" ("dueAt") where "dueAt" is not null;
create table if not exists "postern_factor" (
  "type" text not null,
  "id" text not null,
  "userId" text not null,
  "name" text,
  "data" text not null,
  "createdAt" integer not null,
  "lastUsedAt" integer,
  "version" integer not null,
  primary key ("type", "id")
);
create index if not exists "postern_factor_userId" on "postern_factor" ("userId");
create table if not exists "postern_event" (
  "id" text primary key not null,
  "time" integer not null,
  "type" text not null,
  "userId" text,
  "sessionId" text,
  "ip" text,
  "userAgent" text,
  "provider" text,
  "requestId" text,
  "data" text
);
create index if not exists "postern_event_userId" on "postern_event" ("userId", "time") where "userId" is not null;
create index if not exists "postern_event_time" on "postern_event" ("time");
create table if not exists "postern_user" (
  "userId" text primary key not null,
  "version" integer not null,
  "sessionsFrom" integer not null,
  "suspendedAt" integer,
  "changeId" text,
  "until" integer,
  "deleteAfter" integer
);
create index if not exists "postern_user_deleteAfter" on "postern_user" ("deleteAfter") where "deleteAfter" is not null;
