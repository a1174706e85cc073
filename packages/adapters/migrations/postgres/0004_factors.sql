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
create index if not exists "postern_event_userId" on "postern_event" ("userId", "time");
create index if not exists "postern_event_time" on "postern_event" ("time");
end if; end $$;
