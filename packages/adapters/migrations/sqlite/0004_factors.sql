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
create index if not exists "postern_event_userId" on "postern_event" ("userId", "time");
create index if not exists "postern_event_time" on "postern_event" ("time");
