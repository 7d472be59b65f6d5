CREATE TYPE "media_file_status" AS ENUM ('waiting', 'ready', 'failed');

-- The file of a media item that the service keeps. Media items whose file is on another server have none.
-- token: the secret part of its address. storage_key: where it is stored, once it has arrived.
-- upload_token_hash: of the one-time address to which a client sends the file. source_url and job_id: of a file that is fetched.
CREATE TABLE "media_file" (
    "media_id" TEXT NOT NULL,
    "status" "media_file_status" NOT NULL,
    "token" TEXT NOT NULL,
    "storage_key" TEXT,
    "content_type" TEXT,
    "bytes" INTEGER,
    "width" INTEGER,
    "height" INTEGER,
    "has_thumbnail" BOOLEAN NOT NULL DEFAULT false,
    "error" TEXT,
    "uploaded_by" TEXT,
    "upload_token_hash" TEXT,
    "upload_expires_at" TIMESTAMPTZ(3),
    "source_url" TEXT,
    "job_id" TEXT,
    CONSTRAINT "media_file_pkey" PRIMARY KEY ("media_id"),
    CONSTRAINT "media_file_ready_is_stored" CHECK ("status" <> 'ready' OR ("storage_key" IS NOT NULL AND "content_type" IS NOT NULL AND "bytes" IS NOT NULL))
);
ALTER TABLE "media_file" ADD CONSTRAINT "media_file_media_id_fkey" FOREIGN KEY ("media_id") REFERENCES "media"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "media_file_job_idx" ON "media_file"("job_id") WHERE "job_id" IS NOT NULL;
CREATE INDEX "media_file_upload_idx" ON "media_file"("upload_expires_at") WHERE "status" = 'waiting' AND "upload_expires_at" IS NOT NULL;

-- Files in the storage that no media item has: those of deleted items, and those that are being stored.
CREATE TABLE "unused_media_file" (
    "storage_key" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "unused_media_file_pkey" PRIMARY KEY ("storage_key")
);
CREATE INDEX "unused_media_file_since_idx" ON "unused_media_file"("since");

-- However a media item is deleted, its file is remembered until it is removed from the storage.
CREATE FUNCTION "remember_unused_media_file"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unused_media_file (storage_key) VALUES (OLD.storage_key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "media_file_deleted" AFTER DELETE ON "media_file"
  FOR EACH ROW WHEN (OLD.storage_key IS NOT NULL) EXECUTE FUNCTION "remember_unused_media_file"();

-- Media outside the library, oldest first: those that no post uses are deleted.
CREATE INDEX "media_outside_library_idx" ON "media"("created_at") WHERE NOT "in_library";
