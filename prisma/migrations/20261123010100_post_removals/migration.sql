-- Posts that a job removes from their networks: one row for each post of the job.
CREATE TABLE "post_removal" (
    "job_id" TEXT NOT NULL,
    "post_id" BIGINT NOT NULL,
    "sent_id" TEXT NOT NULL,
    "deletes_post" BOOLEAN NOT NULL,
    "key_id" TEXT,
    "api" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "failure" JSONB,
    CONSTRAINT "post_removal_pkey" PRIMARY KEY ("job_id", "post_id"),
    CONSTRAINT "post_removal_failure_at_end" CHECK ("failure" IS NULL OR "ended_at" IS NOT NULL)
);
ALTER TABLE "post_removal" ADD CONSTRAINT "post_removal_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "post_removal" ADD CONSTRAINT "post_removal_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "post_removal_post_idx" ON "post_removal"("post_id");

-- The publications of a recycling post, newest first.
CREATE INDEX "post_recycled_from_idx" ON "post"("recycled_from_id", "id" DESC) WHERE "recycled_from_id" IS NOT NULL;

ALTER TABLE "sandbox_fault"
  ADD COLUMN "remove_fault" TEXT,
  ADD COLUMN "remove_times" INTEGER NOT NULL DEFAULT 0;
