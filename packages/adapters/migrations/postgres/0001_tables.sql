do $$ begin if to_regclass(quote_ident(current_schema()) || '."user"') is null then
create table if not exists "user" (
  "id" text primary key not null,
  "name" text,
  "email" text,
  "emailVerified" timestamp,
  "image" text,
  constraint "user_email_unique" unique ("email")
);
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."account"') is null then
create table if not exists "account" (
  "userId" text not null,
  "type" text not null,
  "provider" text not null,
  "providerAccountId" text not null,
  "refresh_token" text,
  "access_token" text,
  "expires_at" bigint,
  "token_type" text,
  "scope" text,
  "id_token" text,
  "session_state" text,
  primary key ("provider", "providerAccountId"),
  foreign key ("userId") references "user" ("id") on delete cascade
);
create index if not exists "postern_account_userId" on "account" ("userId");
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."session"') is null then
create table if not exists "session" (
  "sessionToken" text primary key not null,
  "userId" text not null,
  "expires" timestamp not null,
  foreign key ("userId") references "user" ("id") on delete cascade
);
create index if not exists "postern_session_userId_expires" on "session" ("userId", "expires");
create index if not exists "postern_session_expires" on "session" ("expires");
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."verificationToken"') is null then
create table if not exists "verificationToken" (
  "identifier" text not null,
  "token" text not null,
  "expires" timestamp not null,
  primary key ("identifier", "token")
);
create index if not exists "postern_verificationToken_expires" on "verificationToken" ("expires");
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_lock"') is null then
create table if not exists "postern_lock" (
  "key" text primary key not null,
  "owner" text not null,
  "until" bigint not null
);
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_session"') is null then
create table if not exists "postern_session" (
  "id" text primary key not null,
  "userId" text not null,
  "sessionToken" text,
  "provider" text,
  "providerSessionId" text,
  "userAgent" text,
  "address" text,
  "createdAt" timestamp not null,
  "lastSeen" timestamp not null,
  "expires" timestamp not null,
  "data" text,
  constraint "postern_record_sessionToken" unique ("sessionToken")
);
create index if not exists "postern_record_userId_expires" on "postern_session" ("userId", "expires");
create index if not exists "postern_record_provider" on "postern_session" ("provider", "providerSessionId") where "provider" is not null and "providerSessionId" is not null;
create index if not exists "postern_record_expires" on "postern_session" ("expires");
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_revocation"') is null then
create table if not exists "postern_revocation" (
  "subject" text primary key not null,
  "version" bigint not null,
  "until" timestamp not null,
  "noted" bigint not null
);
create index if not exists "postern_revocation_noted" on "postern_revocation" ("noted");
create index if not exists "postern_revocation_until" on "postern_revocation" ("until");
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_account"') is null then
create table if not exists "postern_account" (
  "provider" text not null,
  "providerAccountId" text not null,
  "userId" text not null,
  "email" text not null,
  "verifiedAt" timestamp not null,
  primary key ("provider", "providerAccountId")
);
create index if not exists "postern_evidence_userId" on "postern_account" ("userId");
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_ticket"') is null then
create table if not exists "postern_ticket" (
  "kind" text not null,
  "id" text not null,
  "userId" text,
  "data" text not null,
  "tries" integer not null,
  "expires" timestamp not null,
  "dueAt" timestamp,
  primary key ("kind", "id")
);
create index if not exists "postern_ticket_userId" on "postern_ticket" ("userId") where "userId" is not null;
create index if not exists "postern_ticket_expires" on "postern_ticket" ("expires");
create index if not exists "postern_ticket_dueAt" on "postern_ticket" ("dueAt") where "dueAt" is not null;
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_factor"') is null then
create table if not exists "postern_factor" (
  "type" text not null,
  "id" text not null,
  "userId" text not null,
  "name" text,
  "data" text not null,
  "createdAt" timestamp not null,
  "lastUsedAt" timestamp,
  "version" integer not null,
  primary key ("type", "id")
);
create index if not exists "postern_factor_userId" on "postern_factor" ("userId");
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_event"') is null then
create table if not exists "postern_event" (
  "id" text primary key not null,
  "time" timestamp not null,
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
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_user"') is null then
create table if not exists "postern_user" (
  "userId" text primary key not null,
  "version" bigint not null,
  "sessionsFrom" bigint not null,
  "suspendedAt" timestamp,
  "changeId" text,
  "until" timestamp,
  "deleteAfter" timestamp
);
create index if not exists "postern_user_deleteAfter" on "postern_user" ("deleteAfter") where "deleteAfter" is not null;
end if; end $$;
