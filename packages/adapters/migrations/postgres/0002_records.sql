do $$ begin if to_regclass(quote_ident(current_schema()) || '."postern_session"') is null then
create table if not exists "postern_session" (
  "id" text primary key not null,
  "userId" text not null,
  "sessionToken" text constraint "postern_record_sessionToken" unique,
  "provider" text,
  "providerSessionId" text,
  "userAgent" text,
  "address" text,
  "createdAt" timestamp not null,
  "lastSeen" timestamp not null,
  "expires" timestamp not null
);
create index if not exists "postern_record_userId_expires" on "postern_session" ("userId", "expires");
create index if not exists "postern_record_provider" on "postern_session" ("provider", "providerSessionId");
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
