-- Rows of the search index that were written with the current rules start with the token '2'. This index finds words by their beginning. It contains no
-- rows yet: processes rewrite the rows of earlier releases in the background.
CREATE INDEX "post_search_terms_idx" ON "post_search" USING GIN (array_to_tsvector("tokens")) WITH (gin_pending_list_limit = 128) WHERE "tokens"[1] = '2';

-- The rows that are still to be rewritten. They are sorted by an expression that no other index has, so that the planner always uses this one.
CREATE INDEX "post_search_outdated_idx" ON "post_search" (("tokens"[1] = '2'), "post_id") WHERE "tokens"[1] IS DISTINCT FROM '2';

-- Only processes of earlier releases, and searches among the rows that are still to be rewritten, use the index of whole words. A new database has neither.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM "post_search") THEN DROP INDEX "post_search_tokens_idx"; END IF;
END $$;
