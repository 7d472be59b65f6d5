CREATE TYPE "webhook_status" AS ENUM ('active', 'disabled');
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed');

-- read_transaction, read_sequence: the position of the last event for which deliveries were written, in the database read_database.
-- Null, or of another database: deliveries begin with the next event.
CREATE TABLE "webhook" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT[] NOT NULL,
    "status" "webhook_status" NOT NULL DEFAULT 'active',
    "sealed_secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "is_slow" BOOLEAN NOT NULL DEFAULT false,
    "read_database" TEXT,
    "read_transaction" BIGINT,
    "read_sequence" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "webhook_workspace_id_created_at_id_idx" ON "webhook"("workspace_id", "created_at", "id");

-- One message to one receiver. sequence: of the event; null for tests.
CREATE TABLE "webhook_delivery" (
    "id" TEXT NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "sequence" BIGINT,
    "event_id" TEXT,
    "event_type" TEXT NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "body" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),
    "last_attempt_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "response_status" INTEGER,
    "response_body" TEXT,
    "error" TEXT,
    "redelivery_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- Each event is recorded once, however often its position is read.
CREATE UNIQUE INDEX "webhook_delivery_webhook_id_sequence_key" ON "webhook_delivery"("webhook_id", "sequence");
CREATE INDEX "webhook_delivery_webhook_id_created_at_id_idx" ON "webhook_delivery"("webhook_id", "created_at" DESC, "id" DESC);
CREATE INDEX "webhook_delivery_created_at_idx" ON "webhook_delivery"("created_at");
-- Messages to be sent, of each webhook in the order in which they are due, and those that are being sent.
CREATE INDEX "webhook_delivery_due_idx" ON "webhook_delivery"("webhook_id", "due_at") WHERE "status" = 'pending';
CREATE INDEX "webhook_delivery_leased_idx" ON "webhook_delivery"("webhook_id") WHERE "leased_until" IS NOT NULL;

-- What a job of kind webhook sends again: the deliveries with these IDs, or all events since a time.
CREATE TABLE "webhook_redelivery" (
    "job_id" TEXT NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "delivery_ids" TEXT[],
    "since" TIMESTAMPTZ(3),
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_redelivery_pkey" PRIMARY KEY ("job_id")
);
ALTER TABLE "webhook_redelivery" ADD CONSTRAINT "webhook_redelivery_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_redelivery" ADD CONSTRAINT "webhook_redelivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "webhook_redelivery_webhook_id_idx" ON "webhook_redelivery"("webhook_id");

-- The scope of keys that manage webhooks.
ALTER TABLE "api_key" DROP CONSTRAINT "api_key_scopes_valid";
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_scopes_valid" CHECK ("scopes" <@ ARRAY['workspaces', 'accounts', 'posts', 'posts:read', 'posts:write', 'media', 'webhooks']);
