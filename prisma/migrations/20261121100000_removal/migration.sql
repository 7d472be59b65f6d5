-- A notification that goes takes its jobs with it: without an index each one would look through all jobs.

-- CreateIndex
CREATE INDEX "job_notification_id_idx" ON "job"("notification_id");
