-- recycled_from_id: the recycling post that a published post was made for.
-- published_count: how often recycling has published the post.
ALTER TABLE "post" ADD COLUMN "recycled_from_id" CHAR(24), ADD COLUMN "published_count" INTEGER NOT NULL DEFAULT 0;

-- Active recycling posts become due like scheduled ones. The sweep of the release before can use this index, too.
CREATE INDEX "post_due_or_recycled_idx" ON "post" (GREATEST("scheduled_at", "retry_at"))
 WHERE "stored_state" IN (1, 2, 40) AND "queued_at" IS NULL AND "deleted_at" IS NULL;
DROP INDEX "post_due_idx";
ALTER INDEX "post_due_or_recycled_idx" RENAME TO "post_due_idx";

-- Recycling posts are queued, too. NOT VALID: the constraint that it replaces held for every row.
ALTER TABLE "post" DROP CONSTRAINT "post_queued_while_scheduled";
ALTER TABLE "post" ADD CONSTRAINT "post_queued_while_scheduled" CHECK ("queued_at" IS NULL OR "stored_state" BETWEEN 1 AND 6 OR "stored_state" BETWEEN 40 AND 47) NOT VALID;
