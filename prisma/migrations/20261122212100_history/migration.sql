-- What the history of a post shows of a change, besides its values: the type of its event, the API and a note. Null for changes of earlier releases.
ALTER TABLE "revision" ADD COLUMN "type" TEXT, ADD COLUMN "api" TEXT, ADD COLUMN "note" TEXT;
-- The API through which the post was created; null for posts of earlier releases.
ALTER TABLE "post_body" ADD COLUMN "created_api" TEXT;
