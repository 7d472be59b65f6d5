-- What is not yet sorted into the index is looked through by every search: 4 MB of it, the default, made a search three
-- times as slow after some thousand changes, and one change in as many wait for all of it to be sorted in.
ALTER INDEX "post_search_tokens_idx" SET (gin_pending_list_limit = 128);
