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
  primary key ("kind", "id")
);
create index if not exists "postern_ticket_userId" on "postern_ticket" ("userId");
create index if not exists "postern_ticket_expires" on "postern_ticket" ("expires");
end if; end $$;
