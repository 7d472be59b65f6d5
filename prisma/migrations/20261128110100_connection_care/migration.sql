-- When the access of an account is renewed, and when the connection is looked after next.
ALTER TABLE "account_connection" ADD COLUMN "renew_at" TIMESTAMPTZ(3), ADD COLUMN "due_at" TIMESTAMPTZ(3) DEFAULT now(), ADD COLUMN "warned_days" SMALLINT;

-- Accounts that were connected before are asked for within the next day, not all at once.
UPDATE "account_connection" SET "due_at" = now() + random() * interval '1 day';
INSERT INTO "account_connection" ("account_id", "method", "due_at")
SELECT "account_id", 'credentials', now() + random() * interval '1 day' FROM "account_credential" ON CONFLICT DO NOTHING;

CREATE INDEX "account_connection_due_idx" ON "account_connection"("due_at");
