alter table "postern_session" add column "data" text;
