-- The workspace of the post, so that an index lists the posts of a workspace by engagement.
ALTER TABLE "post_analytics" ADD COLUMN "workspace_id" TEXT;
UPDATE "post_analytics" s SET "workspace_id" = p."workspace_id" FROM "post" p WHERE p."id" = s."post_id";

-- Whoever writes the numbers, an earlier version too, does not know the workspace.
CREATE FUNCTION "set_analytics_workspace"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT p."workspace_id" INTO NEW."workspace_id" FROM "post" p WHERE p."id" = NEW."post_id";
  RETURN NEW;
END
$$;
CREATE TRIGGER "post_analytics_inserted" BEFORE INSERT ON "post_analytics" FOR EACH ROW WHEN (NEW."workspace_id" IS NULL) EXECUTE FUNCTION "set_analytics_workspace"();
ALTER TABLE "post_analytics" ALTER COLUMN "workspace_id" SET NOT NULL;

CREATE INDEX "post_analytics_engagement_idx" ON "post_analytics"("workspace_id", "engagement" DESC, "post_id" DESC) WHERE "engagement" IS NOT NULL;
