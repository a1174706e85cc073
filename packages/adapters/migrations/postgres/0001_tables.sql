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
  "userId" text not null references "user" ("id") on delete cascade,
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
  primary key ("provider", "providerAccountId")
);
create index if not exists "postern_account_userId" on "account" ("userId");
end if; end $$;
do $$ begin if to_regclass(quote_ident(current_schema()) || '."session"') is null then
create table if not exists "session" (
  "sessionToken" text primary key not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "expires" timestamp not null
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
