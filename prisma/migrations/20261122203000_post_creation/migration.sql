-- Settings that a single network has.
ALTER TABLE "post_body" ADD COLUMN "network_options" JSONB;

-- The posts that one call created together.
ALTER TABLE "post" ADD COLUMN "group_id" TEXT;

-- What a job did, apart from its failures.
ALTER TABLE "job" ADD COLUMN "result" JSONB;

ALTER TYPE "job_kind" ADD VALUE 'create';
