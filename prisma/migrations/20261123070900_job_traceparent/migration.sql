-- The span of the request that created the job, for the traces of its attempts.
ALTER TABLE "job" ADD COLUMN "traceparent" TEXT;
