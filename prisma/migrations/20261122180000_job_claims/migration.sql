-- Workers claim due jobs by kind, in the order in which they are due. Neither finished jobs nor jobs that are due later are read.
CREATE INDEX "job_claim_idx" ON "job"("kind", "due_at") WHERE "status" = 'working';

-- Whether another edit of the same post is to be run first: without this index, each check would read all edits of the post.
CREATE INDEX "job_edit_order_idx" ON "job"("post_id", "due_at", "id") WHERE "status" = 'working' AND "kind" = 'network_edit';
