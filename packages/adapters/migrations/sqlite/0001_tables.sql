create table if not exists "user" (
  "id" text primary key not null,
  "name" text,
  "email" text,
  "emailVerified" integer,
  "image" text
);
create unique index if not exists "user_email_unique" on "user" ("email");
create table if not exists "account" (
  "userId" text not null references "user" ("id") on delete cascade,
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
  primary key ("provider", "providerAccountId")
);
create index if not exists "postern_account_userId" on "account" ("userId");
create table if not exists "session" (
  "sessionToken" text primary key not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "expires" integer not null
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
