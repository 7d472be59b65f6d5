-- Counts by account, network and type. A change adds rows to post_count_change, and never waits for other changes. Later,
-- these rows are added to the counts in post_count_detail and deleted. A number of posts is the sum over both tables.

-- Rows with an empty account ID count the posts of all accounts, and those without an account. Posts without an account
-- have an empty network. Private drafts are counted for their creator, all other posts for the empty creator ID.
CREATE TABLE "post_count_detail" (
    "workspace_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "creator_id" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "type" "post_type" NOT NULL,
    "stored_state" SMALLINT NOT NULL,
    "posts" BIGINT NOT NULL,

    CONSTRAINT "post_count_detail_pkey" PRIMARY KEY ("workspace_id","account_id","creator_id","network","type","stored_state")
);

CREATE TABLE "post_count_change" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "creator_id" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "type" "post_type" NOT NULL,
    "stored_state" SMALLINT NOT NULL,
    "posts" BIGINT NOT NULL,

    CONSTRAINT "post_count_change_pkey" PRIMARY KEY ("workspace_id","id")
);

-- The rows of post_count_detail are updated in place, and those of post_count_change are deleted soon: free space in each
-- page for new row versions, and vacuum before dead rows accumulate.
ALTER TABLE "post_count_detail" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
ALTER TABLE "post_count_change" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);

-- Waits for the transactions that write posts, so that all later ones add their changes to post_count_change.
LOCK TABLE "post" IN SHARE ROW EXCLUSIVE MODE;

-- The next migration fills post_count_detail. Until then, the changes stay in post_count_change.
CREATE FUNCTION "fold_post_counts"(workspace_ids TEXT[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
END $$;

-- As before, and also adds rows to post_count_change: one for each workspace, account, network, type, stored state and
-- creator whose number of posts changes. If there are none, as after a change to a text, neither does any other count
-- change. On average, every 4,000th row adds the changes of its workspaces to post_count_detail.
CREATE OR REPLACE FUNCTION "count_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes BIGINT;
  workspace_ids TEXT[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_count_change (workspace_id, account_id, creator_id, network, type, stored_state, posts)
    SELECT workspace_id, COALESCE(account_id, ''), CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, COALESCE(network::text, ''), type, stored_state, count(*)
      FROM new_posts WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6;
    GET DIAGNOSTICS changes = ROW_COUNT;
    INSERT INTO post_count AS counted (workspace_id, stored_state, creator_id, slot, posts)
    SELECT workspace_id, stored_state, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, count(*)
      FROM new_posts WHERE deleted_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, stored_state, creator_id, slot) DO UPDATE SET posts = counted.posts + excluded.posts;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO post_count_change (workspace_id, account_id, creator_id, network, type, stored_state, posts)
    SELECT workspace_id, COALESCE(account_id, ''), CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, COALESCE(network::text, ''), type, stored_state, -count(*)
      FROM old_posts WHERE deleted_at IS NULL AND EXISTS (SELECT FROM workspace WHERE id = old_posts.workspace_id) -- deleting a workspace has already deleted its counts
     GROUP BY 1, 2, 3, 4, 5, 6;
    GET DIAGNOSTICS changes = ROW_COUNT;
    INSERT INTO post_count AS counted (workspace_id, stored_state, creator_id, slot, posts)
    SELECT workspace_id, stored_state, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, -count(*)
      FROM old_posts WHERE deleted_at IS NULL AND EXISTS (SELECT FROM workspace WHERE id = old_posts.workspace_id)
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, stored_state, creator_id, slot) DO UPDATE SET posts = counted.posts + excluded.posts;
  ELSE
    INSERT INTO post_count_change (workspace_id, account_id, creator_id, network, type, stored_state, posts)
    SELECT workspace_id, COALESCE(account_id, ''), CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, COALESCE(network::text, ''), type, stored_state, sum(change)
      FROM (SELECT workspace_id, account_id, creator_id, network, type, stored_state, -1 AS change FROM old_posts WHERE deleted_at IS NULL
            UNION ALL SELECT workspace_id, account_id, creator_id, network, type, stored_state, 1 FROM new_posts WHERE deleted_at IS NULL) moved
     GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0;
    GET DIAGNOSTICS changes = ROW_COUNT;
    IF changes = 0 THEN RETURN NULL; END IF;
    INSERT INTO post_count AS counted (workspace_id, stored_state, creator_id, slot, posts)
    SELECT workspace_id, stored_state, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, sum(change)
      FROM (SELECT workspace_id, stored_state, creator_id, -1 AS change FROM old_posts WHERE deleted_at IS NULL
            UNION ALL SELECT workspace_id, stored_state, creator_id, 1 FROM new_posts WHERE deleted_at IS NULL) moved
     GROUP BY 1, 2, 3 HAVING sum(change) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, stored_state, creator_id, slot) DO UPDATE SET posts = counted.posts + excluded.posts;
  END IF;
  IF random() * 4000 < changes THEN
    IF TG_OP = 'DELETE' THEN
      SELECT array_agg(DISTINCT workspace_id) INTO workspace_ids FROM old_posts;
    ELSE
      SELECT array_agg(DISTINCT workspace_id) INTO workspace_ids FROM new_posts;
    END IF;
    PERFORM fold_post_counts(workspace_ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "delete_post_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM post_count;
    DELETE FROM post_count_detail;
    DELETE FROM post_count_change;
  ELSE
    DELETE FROM post_count WHERE workspace_id IN (SELECT id FROM old_workspaces);
    DELETE FROM post_count_detail WHERE workspace_id IN (SELECT id FROM old_workspaces);
    DELETE FROM post_count_change WHERE workspace_id IN (SELECT id FROM old_workspaces);
  END IF;
  RETURN NULL;
END $$;

-- Recounts all posts. Call it after loading posts with triggers disabled: only the triggers maintain the counts.
CREATE OR REPLACE FUNCTION "recount_posts"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE post IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM post_count;
  DELETE FROM post_count_detail;
  DELETE FROM post_count_change;
  INSERT INTO post_count_detail (workspace_id, account_id, creator_id, network, type, stored_state, posts)
  SELECT workspace_id, account_id, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, network::text, type, stored_state, count(*)
    FROM post WHERE deleted_at IS NULL AND account_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6;
  INSERT INTO post_count_detail (workspace_id, account_id, creator_id, network, type, stored_state, posts)
  SELECT workspace_id, '', CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, COALESCE(network::text, ''), type, stored_state, count(*)
    FROM post WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6;
  INSERT INTO post_count (workspace_id, stored_state, creator_id, slot, posts)
  SELECT workspace_id, stored_state, creator_id, 0, sum(posts)
    FROM post_count_detail WHERE account_id = '' GROUP BY 1, 2, 3;
END $$;
