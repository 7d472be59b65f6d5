-- The purge removes posts that are deleted, and each asks for its children, deleted ones too: post_parent_idx has the others only.
CREATE INDEX "post_children_idx" ON "post"("parent_id") WHERE "parent_id" IS NOT NULL;
