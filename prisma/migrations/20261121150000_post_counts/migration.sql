-- CreateTable
CREATE TABLE "post_count" (
    "workspace_id" TEXT NOT NULL,
    "cell" SMALLINT NOT NULL,
    "creator_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "posts" BIGINT NOT NULL,

    CONSTRAINT "post_count_pkey" PRIMARY KEY ("workspace_id","cell","creator_id","slot")
);


-- What Prisma's schema language cannot say.

-- Its rows are changed in place again and again: room beside each for its next version, and a vacuum before dead ones pile up.
ALTER TABLE "post_count" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Whoever writes posts keeps the counts, in the same transaction, and nobody has to think of it. One trigger for each
-- statement, not for each row: a thousand posts that move together are two counts. A private draft is counted for its
-- creator. A connection keeps to a slot of its own among sixteen, so that writers hardly ever wait for each other. Only
-- the sum over the slots says anything, and a slot may be below zero.
CREATE FUNCTION "count_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_count AS kept (workspace_id, cell, creator_id, slot, posts)
    SELECT workspace_id, cell, CASE WHEN cell IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, count(*)
      FROM come WHERE deleted_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, cell, creator_id, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO post_count AS kept (workspace_id, cell, creator_id, slot, posts)
    SELECT workspace_id, cell, CASE WHEN cell IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, -count(*)
      FROM gone WHERE deleted_at IS NULL AND EXISTS (SELECT FROM workspace WHERE id = gone.workspace_id) -- where posts go with it, its counts have gone already
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, cell, creator_id, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSE
    INSERT INTO post_count AS kept (workspace_id, cell, creator_id, slot, posts)
    SELECT workspace_id, cell, CASE WHEN cell IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, sum(change)
      FROM (SELECT workspace_id, cell, creator_id, -1 AS change FROM gone WHERE deleted_at IS NULL
            UNION ALL SELECT workspace_id, cell, creator_id, 1 FROM come WHERE deleted_at IS NULL) moved
     GROUP BY 1, 2, 3 HAVING sum(change) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, cell, creator_id, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "forget_post_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM post_count;
  ELSE
    DELETE FROM post_count WHERE workspace_id IN (SELECT id FROM gone);
  END IF;
  RETURN NULL;
END $$;

-- Counts all posts anew. For what was loaded while triggers were off: they are the only ones who keep the counts.
CREATE FUNCTION "recount_posts"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE post IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM post_count;
  INSERT INTO post_count (workspace_id, cell, creator_id, slot, posts)
  SELECT workspace_id, cell, CASE WHEN cell IN (24, 25) THEN creator_id ELSE '' END, 0, count(*)
    FROM post WHERE deleted_at IS NULL GROUP BY 1, 2, 3;
END $$;

-- From the first trigger on nobody else writes posts until this migration is through.
CREATE TRIGGER "post_count_inserted" AFTER INSERT ON "post" REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION "count_posts"();
CREATE TRIGGER "post_count_updated" AFTER UPDATE ON "post" REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION "count_posts"();
CREATE TRIGGER "post_count_deleted" AFTER DELETE ON "post" REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "count_posts"();
CREATE TRIGGER "post_count_truncated" AFTER TRUNCATE ON "post" FOR EACH STATEMENT EXECUTE FUNCTION "forget_post_counts"();
CREATE TRIGGER "post_count_workspace_deleted" AFTER DELETE ON "workspace" REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "forget_post_counts"();

SELECT "recount_posts"();
