-- Posts that one call created together.
CREATE INDEX "post_group_idx" ON "post"("group_id") WHERE "group_id" IS NOT NULL;

-- Posts that are being published, for filters by the status of the publication.
CREATE INDEX "post_queued_idx" ON "post"("workspace_id") WHERE "queued_at" IS NOT NULL;

-- Posts that were not published, which are few.
CREATE INDEX "publication_unpublished_idx" ON "publication"("post_id") WHERE "result" IN ('failed', 'unconfirmed', 'missed');
