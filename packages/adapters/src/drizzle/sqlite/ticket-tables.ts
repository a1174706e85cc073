/** The statements that create `postern_account` under a quoted name. */
export function createEvidence(name: string): readonly string[] {
  return [
    `create table if not exists ${name} (
  "provider" text not null,
  "providerAccountId" text not null,
  "userId" text not null,
  "email" text not null,
  "verifiedAt" integer not null,
  primary key ("provider", "providerAccountId")
)`,
    `create index if not exists "postern_evidence_userId" on ${name} ("userId")`
  ]
}

/** The statements that create `postern_ticket` under a quoted name. */
export function createTickets(name: string): readonly string[] {
  return [
    `create table if not exists ${name} (
  "kind" text not null,
  "id" text not null,
  "userId" text,
  "data" text not null,
  "tries" integer not null,
  "expires" integer not null,
  primary key ("kind", "id")
)`,
    `create index if not exists "postern_ticket_userId" on ${name} ("userId")`,
    `create index if not exists "postern_ticket_expires" on ${name} ("expires")`
  ]
}
