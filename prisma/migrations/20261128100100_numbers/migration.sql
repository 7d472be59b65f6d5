-- When the numbers of published posts are read from their networks (D91).
CREATE TABLE "post_analytics_schedule" (
    "post_id" BIGINT NOT NULL,
    "account_id" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "post_analytics_schedule_pkey" PRIMARY KEY ("post_id")
);
ALTER TABLE "post_analytics_schedule" ADD CONSTRAINT "post_analytics_schedule_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "post_analytics_schedule_due_idx" ON "post_analytics_schedule"("due_at");
CREATE INDEX "post_analytics_schedule_account_idx" ON "post_analytics_schedule"("account_id", "due_at");

-- The numbers of a post at one time; post_analytics has the latest.
CREATE TABLE "post_analytics_reading" (
    "post_id" BIGINT NOT NULL,
    "reach" INTEGER,
    "engagement" INTEGER,
    "engagement_rate" DOUBLE PRECISION,
    "likes" INTEGER,
    "comments" INTEGER,
    "shares" INTEGER,
    "saves" INTEGER,
    "video_views" INTEGER,
    "link_clicks" INTEGER,
    "post_clicks" INTEGER,
    "click_through_rate" DOUBLE PRECISION,
    "reach_rate" DOUBLE PRECISION,
    "poll_votes" INTEGER[],
    "read_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "post_analytics_reading_pkey" PRIMARY KEY ("post_id", "read_at")
);
ALTER TABLE "post_analytics_reading" ADD CONSTRAINT "post_analytics_reading_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "post_analytics_reading_read_idx" ON "post_analytics_reading"("read_at");

-- Posts that were published in the last year: spread over a day, so that networks are not asked for all at once.
INSERT INTO "post_analytics_schedule" ("post_id", "account_id", "published_at", "due_at")
SELECT p."id", p."account_id", u."published_at", GREATEST(u."published_at" + interval '1 hour', now() + random() * interval '1 day')
  FROM "publication" u JOIN "post" p ON p."id" = u."post_id" JOIN "account" a ON a."id" = p."account_id"
 WHERE u."result" = 'published' AND u."published_at" > now() - interval '360 days' AND p."remote_id" IS NOT NULL AND p."deleted_at" IS NULL
   AND (a."sandbox" OR a."network" IN ('mastodon', 'bluesky', 'wordpress'));
