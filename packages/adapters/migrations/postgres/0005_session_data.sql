alter table "postern_session" add column if not exists "data" text;
