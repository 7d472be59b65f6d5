-- CreateIndex
CREATE INDEX "job_failed_idx" ON "job"("kind") WHERE "status" = 'failed';
