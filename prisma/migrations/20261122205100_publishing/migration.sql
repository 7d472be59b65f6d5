CREATE TYPE "publication_result" AS ENUM ('published', 'failed', 'unconfirmed', 'missed');
CREATE TYPE "delivery_guarantee" AS ENUM ('exact', 'compared', 'cannot_tell');

ALTER TABLE "workspace" ADD COLUMN "late_minutes" INTEGER NOT NULL DEFAULT 60;
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_late_minutes_valid" CHECK ("late_minutes" BETWEEN 1 AND 10080);

-- armed_at: set while the call that publishes the post may be in progress, or its result is unknown.
-- retry_at: not published again before this time, after an attempt that failed.
ALTER TABLE "post" ADD COLUMN "armed_at" TIMESTAMPTZ(3), ADD COLUMN "retry_at" TIMESTAMPTZ(3);
ALTER TABLE "post" ADD CONSTRAINT "post_armed_while_queued" CHECK ("armed_at" IS NULL OR "queued_at" IS NOT NULL);

-- Posts that wait for their time, in the order in which they become due. The sweep reads only the due ones.
CREATE INDEX "post_due_idx" ON "post" (GREATEST("scheduled_at", "retry_at"))
 WHERE "stored_state" IN (1, 2) AND "queued_at" IS NULL AND "deleted_at" IS NULL;

CREATE TABLE "publication" (
    "post_id" BIGINT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "handed_over_at" TIMESTAMPTZ(3) NOT NULL,
    "job_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "earlier_attempts" INTEGER NOT NULL DEFAULT 0,
    "result" "publication_result",
    "error" JSONB,
    "published_at" TIMESTAMPTZ(3),
    CONSTRAINT "publication_pkey" PRIMARY KEY ("post_id")
);
ALTER TABLE "publication" ADD CONSTRAINT "publication_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "publication_attempt" (
    "post_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "guarantee" "delivery_guarantee",
    "handle" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "armed_at" TIMESTAMPTZ(3),
    "looks" INTEGER NOT NULL DEFAULT 0,
    "not_there_at" TIMESTAMPTZ(3),
    "is_processing" BOOLEAN NOT NULL DEFAULT false,
    "finished_at" TIMESTAMPTZ(3),
    "error" JSONB,
    CONSTRAINT "publication_attempt_pkey" PRIMARY KEY ("post_id", "number"),
    CONSTRAINT "publication_attempt_armed_with_handle" CHECK ("armed_at" IS NULL OR ("handle" IS NOT NULL AND "guarantee" IS NOT NULL))
);
ALTER TABLE "publication_attempt" ADD CONSTRAINT "publication_attempt_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- At most one open attempt of a post, regardless of the number of workers.
CREATE UNIQUE INDEX "publication_attempt_open_idx" ON "publication_attempt"("post_id") WHERE "finished_at" IS NULL;

-- The posts that the sandbox network has taken, as its readers see them.
CREATE TABLE "sandbox_delivery" (
    "id" BIGSERIAL NOT NULL,
    "account_id" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "is_exact" BOOLEAN NOT NULL,
    "post_doc_id" CHAR(24) NOT NULL,
    "content" JSONB NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "listed_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    CONSTRAINT "sandbox_delivery_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "sandbox_delivery" ADD CONSTRAINT "sandbox_delivery_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE UNIQUE INDEX "sandbox_delivery_handle_idx" ON "sandbox_delivery"("account_id", "handle") WHERE "is_exact";
CREATE INDEX "sandbox_delivery_account_idx" ON "sandbox_delivery"("account_id", "taken_at");
CREATE INDEX "sandbox_delivery_post_idx" ON "sandbox_delivery"("post_doc_id");

ALTER TABLE "sandbox_account"
  ADD COLUMN "guarantee" "delivery_guarantee" NOT NULL DEFAULT 'exact',
  ADD COLUMN "list_lag_seconds" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "sandbox_fault"
  ADD COLUMN "publish_fault" TEXT,
  ADD COLUMN "publish_times" INTEGER NOT NULL DEFAULT 0;
