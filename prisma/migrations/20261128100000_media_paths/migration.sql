-- The URL of a file that the service keeps is its path, to which processes add MEDIA_BASE_URL. Releases before 0.3.0 keep no files.
ALTER TABLE "media" DROP CONSTRAINT "media_url_format";
ALTER TABLE "media" ADD CONSTRAINT "media_url_format" CHECK ("url" ~ '^(https?://|/media/)' AND char_length("url") <= 2048);

UPDATE "media" m SET "url" = '/media/' || m."id" || '/' || f."token" FROM "media_file" f WHERE f."media_id" = m."id";
