/** The statements that create `postern_factor`, whose quoted name is given. */
export function createFactors(name: string): readonly string[] {
  return [
    `create table if not exists ${name} (
  "type" text not null,
  "id" text not null,
  "userId" text not null,
  "name" text,
  "data" text not null,
  "createdAt" integer not null,
  "lastUsedAt" integer,
  "version" integer not null,
  primary key ("type", "id")
)`,
    `create index if not exists "postern_factor_userId" on ${name} ("userId")`
  ]
}

/** The statements that create `postern_event`, whose quoted name is given. */
export function createEvents(name: string): readonly string[] {
  return [
    `create table if not exists ${name} (
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
)`,
    `create index if not exists "postern_event_userId" on ${name} ("userId", "time")`,
    `create index if not exists "postern_event_time" on ${name} ("time")`
  ]
}
