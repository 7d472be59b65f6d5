-- workspace_id: that of the media item, so that one index contains what the sums over the files of a workspace need.
ALTER TABLE "media_file" ADD COLUMN "workspace_id" TEXT;

-- Earlier releases, which run during an upgrade, do not write the column.
CREATE FUNCTION "set_media_file_workspace"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."workspace_id" := (SELECT m."workspace_id" FROM "media" m WHERE m."id" = NEW."media_id");
  RETURN NEW;
END $$;
CREATE TRIGGER "media_file_workspace" BEFORE INSERT ON "media_file"
  FOR EACH ROW WHEN (NEW."workspace_id" IS NULL) EXECUTE FUNCTION "set_media_file_workspace"();

UPDATE "media_file" f SET "workspace_id" = m."workspace_id" FROM "media" m WHERE m."id" = f."media_id";
ALTER TABLE "media_file" ALTER COLUMN "workspace_id" SET NOT NULL;

CREATE INDEX "media_file_usage_idx" ON "media_file" ("workspace_id") INCLUDE ("status", "bytes", "upload_expires_at");
