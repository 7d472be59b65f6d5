-- Counts the posts while changes go on: one statement sees the posts and the rows of post_count_change as of one moment,
-- and subtracts these rows. The sum over both tables is then the number of posts, also after later changes.
WITH counted AS (
  SELECT workspace_id, account_id, creator_id, network, type, stored_state, sum(posts) AS posts
    FROM (SELECT workspace_id, COALESCE(account_id, '') AS account_id, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END AS creator_id, COALESCE(network::text, '') AS network, type, stored_state, count(*) AS posts
            FROM post WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6
          UNION ALL SELECT workspace_id, account_id, creator_id, network, type, stored_state, -posts FROM post_count_change) kept
   GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(posts) <> 0
)
INSERT INTO post_count_detail (workspace_id, account_id, creator_id, network, type, stored_state, posts)
SELECT workspace_id, account_id, creator_id, network, type, stored_state, posts FROM counted WHERE account_id <> ''
UNION ALL
SELECT workspace_id, '', creator_id, network, type, stored_state, sum(posts) FROM counted GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(posts) <> 0;

-- Adds the changes of these workspaces to post_count_detail, and deletes them. One transaction at a time does this for a
-- workspace. Others continue without waiting, and leave the changes to a later transaction.
CREATE OR REPLACE FUNCTION "fold_post_counts"(workspace_ids TEXT[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  folded TEXT;
BEGIN
  FOREACH folded IN ARRAY workspace_ids LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended('post counts ' || folded, 0));
    WITH changes AS (DELETE FROM post_count_change WHERE workspace_id = folded RETURNING *),
    summed AS (
      SELECT workspace_id, account_id, creator_id, network, type, stored_state, sum(posts) AS posts
        FROM changes GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(posts) <> 0
    )
    INSERT INTO post_count_detail AS counted (workspace_id, account_id, creator_id, network, type, stored_state, posts)
    SELECT workspace_id, account_id, creator_id, network, type, stored_state, posts FROM summed WHERE account_id <> ''
    UNION ALL
    SELECT workspace_id, '', creator_id, network, type, stored_state, sum(posts) FROM summed GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(posts) <> 0
    ON CONFLICT (workspace_id, account_id, creator_id, network, type, stored_state) DO UPDATE SET posts = counted.posts + excluded.posts;
  END LOOP;
END $$;
