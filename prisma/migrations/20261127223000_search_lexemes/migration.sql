-- PostgreSQL cannot index a row with more than 1 MB of tokens, which earlier releases wrote for very long posts. Only the tokens up to this size are kept.
UPDATE "post_search" s SET "tokens" = ARRAY(
  SELECT t.token FROM (
    SELECT token, position, sum(octet_length(token)) OVER (ORDER BY position) AS bytes FROM unnest(s."tokens") WITH ORDINALITY AS u(token, position)
  ) t WHERE t.bytes <= 1000000 ORDER BY t.position
) WHERE pg_column_size(s."tokens") > 20000 AND octet_length(array_to_string(s."tokens", '')) > 1000000;

-- One index of all rows, whichever release wrote them. It replaces an index of the rows of one release, and one of all other rows.
CREATE INDEX IF NOT EXISTS "post_search_lexemes_idx" ON "post_search" USING GIN (array_to_tsvector("tokens")) WITH (gin_pending_list_limit = 128);
DROP INDEX IF EXISTS "post_search_terms_idx", "post_search_outdated_idx";
