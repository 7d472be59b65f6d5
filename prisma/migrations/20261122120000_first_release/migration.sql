-- CreateEnum
CREATE TYPE "plan" AS ENUM ('free', 'professional', 'business');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'editor', 'viewer');

-- CreateEnum
CREATE TYPE "network" AS ENUM ('facebook', 'instagram', 'threads', 'tiktok', 'twitter', 'mastodon', 'bluesky', 'linkedin', 'pinterest', 'google', 'youtube', 'wordpress', 'telegram');

-- CreateEnum
CREATE TYPE "account_type" AS ENUM ('profile', 'page', 'group', 'business', 'channel', 'location', 'blog');

-- CreateEnum
CREATE TYPE "post_type" AS ENUM ('status', 'link', 'photo', 'gif', 'video', 'reel', 'story', 'short', 'poll', 'document', 'carousel', 'article');

-- CreateEnum
CREATE TYPE "post_origin" AS ENUM ('service', 'imported', 'synced');

-- CreateEnum
CREATE TYPE "media_type" AS ENUM ('photo', 'video', 'gif', 'document');

-- CreateEnum
CREATE TYPE "sync_status" AS ENUM ('pending', 'synced', 'failed', 'superseded');

-- CreateEnum
CREATE TYPE "job_kind" AS ENUM ('network_edit', 'notification', 'import', 'purge');

-- CreateEnum
CREATE TYPE "job_status" AS ENUM ('working', 'completed', 'failed');

-- CreateTable
CREATE TABLE "app_user" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "picture" TEXT,
    "plan" "plan" NOT NULL DEFAULT 'free',
    "rate_limit_override" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "picture" TEXT,
    "time_zone" TEXT NOT NULL,
    "requires_approval" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "related_version" UUID NOT NULL DEFAULT gen_random_uuid(),

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "post_actions" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "replaced_by" TEXT,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "network" "network" NOT NULL,
    "type" "account_type" NOT NULL,
    "name" TEXT NOT NULL,
    "social_id" TEXT NOT NULL,
    "picture" TEXT,
    "needs_reauth" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sandbox" BOOLEAN NOT NULL DEFAULT false,
    "paused_until" TIMESTAMPTZ(3),

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "label" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "color" TEXT NOT NULL DEFAULT '#808080',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "label_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "type" "media_type" NOT NULL,
    "url" TEXT NOT NULL,
    "title" TEXT,
    "alt_text" TEXT,
    "in_library" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "post" (
    "id" BIGSERIAL NOT NULL,
    "doc_id" CHAR(24) NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "account_id" TEXT,
    "creator_id" TEXT NOT NULL,
    "stored_state" SMALLINT NOT NULL,
    "type" "post_type" NOT NULL,
    "network" "network",
    "version" INTEGER NOT NULL DEFAULT 1,
    "scheduled_at" TIMESTAMPTZ(3),
    "sort_at" TIMESTAMPTZ(3) GENERATED ALWAYS AS (COALESCE("scheduled_at", '-infinity'::timestamptz)) STORED,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "queued_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "parent_id" BIGINT,
    "post_link" TEXT,
    "has_media" BOOLEAN NOT NULL DEFAULT false,
    "auto" BOOLEAN NOT NULL DEFAULT false,
    "reminder" BOOLEAN NOT NULL DEFAULT false,
    "origin" "post_origin" NOT NULL DEFAULT 'service',
    "import_key" TEXT,
    "remote_id" TEXT,

    CONSTRAINT "post_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "post_body" (
    "post_id" BIGINT NOT NULL,
    "text" TEXT NOT NULL DEFAULT '',
    "title" TEXT,
    "excerpt" TEXT,
    "question" TEXT,
    "duration" INTEGER,
    "url" TEXT,
    "featured_media" JSONB,
    "link" JSONB,
    "details" JSONB,
    "recycling" JSONB,
    "recurring" JSONB,
    "content" JSONB NOT NULL DEFAULT '[]',
    "location" JSONB,
    "options" TEXT[],
    "tags" TEXT[],
    "categories" TEXT[],
    "sublinks" JSONB NOT NULL DEFAULT '[]',
    "own_fields" TEXT[],

    CONSTRAINT "post_body_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "post_search" (
    "post_id" BIGINT NOT NULL,
    "normal" TEXT NOT NULL,
    "tokens" TEXT[],

    CONSTRAINT "post_search_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "post_label" (
    "label_id" TEXT NOT NULL,
    "post_id" BIGINT NOT NULL,

    CONSTRAINT "post_label_pkey" PRIMARY KEY ("label_id","post_id")
);

-- CreateTable
CREATE TABLE "post_media" (
    "post_id" BIGINT NOT NULL,
    "position" SMALLINT NOT NULL,
    "media_id" TEXT NOT NULL,
    "title" TEXT,
    "alt_text" TEXT,
    "default_thumbnail" TEXT,
    "thumbnails" JSONB,
    "user_tags" JSONB NOT NULL DEFAULT '[]',
    "collaborator_tags" JSONB NOT NULL DEFAULT '[]',
    "product_tags" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "post_media_pkey" PRIMARY KEY ("post_id","position")
);

-- CreateTable
CREATE TABLE "post_analytics" (
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
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "post_analytics_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "post_sync" (
    "post_id" BIGINT NOT NULL,
    "status" "sync_status" NOT NULL,
    "job_id" TEXT,
    "error" TEXT,
    "attempted_at" TIMESTAMPTZ(3),
    "in_doubt" BOOLEAN NOT NULL DEFAULT false,
    "live" JSONB NOT NULL,

    CONSTRAINT "post_sync_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "revision" (
    "post_id" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    "user_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "changes" JSONB NOT NULL,

    CONSTRAINT "revision_pkey" PRIMARY KEY ("post_id","version")
);

-- CreateTable
CREATE TABLE "job" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT,
    "user_id" TEXT,
    "kind" "job_kind" NOT NULL,
    "status" "job_status" NOT NULL DEFAULT 'working',
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "failures" JSONB NOT NULL DEFAULT '[]',
    "post_id" BIGINT,
    "post_version" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "leased_until" TIMESTAMPTZ(3),
    "notification_id" TEXT,
    "rate_bucket" TEXT,
    "attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "post_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency" (
    "user_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "outcome" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("user_id","workspace_id","operation","target","key")
);

-- CreateTable
CREATE TABLE "cap_slot" (
    "account_id" TEXT NOT NULL,
    "post_kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "post_id" BIGINT NOT NULL,

    CONSTRAINT "cap_slot_pkey" PRIMARY KEY ("account_id","post_kind","at","post_id")
);

-- CreateTable
CREATE TABLE "account_credential" (
    "account_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_credential_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "sandbox_post" (
    "post_id" BIGINT NOT NULL,
    "fields" JSONB NOT NULL,
    "edits" INTEGER NOT NULL DEFAULT 0,
    "edited_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "sandbox_post_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "sandbox_fault" (
    "post_id" BIGINT NOT NULL,
    "fail_code" TEXT,
    "fail_times" INTEGER NOT NULL DEFAULT 0,
    "delay_ms" INTEGER,

    CONSTRAINT "sandbox_fault_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "sandbox_account" (
    "account_id" TEXT NOT NULL,
    "token_expired" BOOLEAN NOT NULL DEFAULT false,
    "rate_limited_until" TIMESTAMPTZ(3),

    CONSTRAINT "sandbox_account_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "sandbox_clock" (
    "workspace_id" TEXT NOT NULL,
    "ahead_seconds" INTEGER NOT NULL,

    CONSTRAINT "sandbox_clock_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "removed_import" (
    "workspace_id" TEXT NOT NULL,
    "import_key" TEXT NOT NULL,

    CONSTRAINT "removed_import_pkey" PRIMARY KEY ("workspace_id","import_key")
);

-- CreateTable
CREATE TABLE "network_rate_bucket" (
    "bucket" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "network_rate_bucket_pkey" PRIMARY KEY ("bucket")
);

-- CreateTable
CREATE TABLE "post_count" (
    "workspace_id" TEXT NOT NULL,
    "stored_state" SMALLINT NOT NULL,
    "creator_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "posts" BIGINT NOT NULL,

    CONSTRAINT "post_count_pkey" PRIMARY KEY ("workspace_id","stored_state","creator_id","slot")
);

-- CreateTable
CREATE TABLE "user_version" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "version" UUID NOT NULL DEFAULT gen_random_uuid(),

    CONSTRAINT "user_version_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "app_user_email_key" ON "app_user"("email");

-- CreateIndex
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_user_id_idx" ON "api_key"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_workspace_id_id_key" ON "account"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "account_workspace_id_network_social_id_key" ON "account"("workspace_id", "network", "social_id");

-- CreateIndex
CREATE UNIQUE INDEX "label_workspace_id_name_key_key" ON "label"("workspace_id", "name_key");

-- CreateIndex
CREATE INDEX "media_workspace_id_created_at_id_idx" ON "media"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "media_workspace_id_url_idx" ON "media"("workspace_id", "url");

-- CreateIndex
CREATE UNIQUE INDEX "post_doc_id_key" ON "post"("doc_id");

-- CreateIndex
CREATE INDEX "post_stored_state_idx" ON "post"("workspace_id", "stored_state", "sort_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;

-- CreateIndex
-- Excludes private drafts (stored states 24 and 25): a list of the whole workspace never reads those of other users.
CREATE INDEX "post_sort_idx" ON "post"("workspace_id", "sort_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL AND "stored_state" NOT IN (24, 25);

-- CreateIndex
CREATE INDEX "post_creator_idx" ON "post"("workspace_id", "creator_id", "stored_state", "sort_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;

-- CreateIndex
CREATE INDEX "post_account_idx" ON "post"("account_id", "sort_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;

-- CreateIndex
CREATE INDEX "post_created_idx" ON "post"("workspace_id", "created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;

-- CreateIndex
CREATE INDEX "post_parent_idx" ON "post"("parent_id", "sort_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;

-- CreateIndex
CREATE UNIQUE INDEX "post_workspace_id_import_key_key" ON "post"("workspace_id", "import_key");

-- CreateIndex
-- With the default limit of 4 MB every search scans a long pending list: after some thousand changes a search took three
-- times as long, and one change in as many waited while the whole list was merged.
CREATE INDEX "post_search_tokens_idx" ON "post_search" USING GIN ("tokens") WITH (gin_pending_list_limit = 128);

-- CreateIndex
CREATE INDEX "post_label_post_id_idx" ON "post_label"("post_id");

-- CreateIndex
CREATE INDEX "post_media_media_id_idx" ON "post_media"("media_id");

-- CreateIndex
CREATE INDEX "job_post_id_created_at_idx" ON "job"("post_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "notification_user_id_workspace_id_created_at_id_idx" ON "notification"("user_id", "workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "idempotency_started_at_idx" ON "idempotency"("started_at");

-- CreateIndex
CREATE INDEX "cap_slot_post_id_idx" ON "cap_slot"("post_id");

-- CreateIndex
CREATE INDEX "job_due_idx" ON "job"("due_at") WHERE "status" = 'working';

-- CreateIndex
CREATE INDEX "job_finished_at_idx" ON "job"("finished_at");

-- CreateIndex
CREATE INDEX "job_rate_bucket_idx" ON "job"("rate_bucket") WHERE "rate_bucket" IS NOT NULL;

-- CreateIndex
CREATE INDEX "job_failed_idx" ON "job"("kind") WHERE "status" = 'failed';

-- CreateIndex
-- Deleting a notification deletes its jobs: without this index each deletion would scan all jobs.
CREATE INDEX "job_notification_id_idx" ON "job"("notification_id");

-- CreateIndex
CREATE INDEX "post_deleted_idx" ON "post"("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- CreateIndex
-- The purge deletes rows of deleted posts and looks up the children of each, deleted ones included: post_parent_idx excludes those.
CREATE INDEX "post_children_idx" ON "post"("parent_id") WHERE "parent_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "notification_post_id_idx" ON "notification"("post_id");

-- CreateIndex
CREATE INDEX "post_sync_job_id_idx" ON "post_sync"("job_id");

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label" ADD CONSTRAINT "label_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "account"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "post"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_body" ADD CONSTRAINT "post_body_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_search" ADD CONSTRAINT "post_search_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_label" ADD CONSTRAINT "post_label_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "label"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_label" ADD CONSTRAINT "post_label_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_media" ADD CONSTRAINT "post_media_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_media" ADD CONSTRAINT "post_media_media_id_fkey" FOREIGN KEY ("media_id") REFERENCES "media"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_analytics" ADD CONSTRAINT "post_analytics_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_sync" ADD CONSTRAINT "post_sync_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_sync" ADD CONSTRAINT "post_sync_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revision" ADD CONSTRAINT "revision_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revision" ADD CONSTRAINT "revision_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cap_slot" ADD CONSTRAINT "cap_slot_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cap_slot" ADD CONSTRAINT "cap_slot_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_credential" ADD CONSTRAINT "account_credential_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notification"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_post" ADD CONSTRAINT "sandbox_post_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_fault" ADD CONSTRAINT "sandbox_fault_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_account" ADD CONSTRAINT "sandbox_account_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_clock" ADD CONSTRAINT "sandbox_clock_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "removed_import" ADD CONSTRAINT "removed_import_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Constraints, functions and triggers that Prisma's schema language cannot express.

ALTER TABLE "workspace" ADD CONSTRAINT "workspace_name_length" CHECK (char_length("name") BETWEEN 1 AND 200);

ALTER TABLE "app_user" ADD CONSTRAINT "app_user_rate_limit_override_positive" CHECK ("rate_limit_override" > 0);

-- An exclusion constraint instead of a partial unique index: Prisma treats a partial unique index as a full one.
ALTER TABLE "membership" ADD CONSTRAINT "membership_one_owner" EXCLUDE ("workspace_id" WITH =) WHERE ("role" = 'owner');

ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_hash_length" CHECK (octet_length("hash") = 32),
  ADD CONSTRAINT "api_key_scopes_valid" CHECK ("scopes" <@ ARRAY['workspaces', 'accounts', 'posts', 'posts:read', 'posts:write', 'media']);

ALTER TABLE "label"
  ADD CONSTRAINT "label_name_length" CHECK (char_length("name") BETWEEN 1 AND 100),
  ADD CONSTRAINT "label_color_format" CHECK ("color" ~ '^#[0-9a-f]{6}$');

ALTER TABLE "media" ADD CONSTRAINT "media_url_format" CHECK ("url" ~ '^https?://' AND char_length("url") <= 2048);

ALTER TABLE "post"
  ADD CONSTRAINT "post_doc_id_format" CHECK ("doc_id" ~ '^[0-9a-f]{24}$'),
  ADD CONSTRAINT "post_stored_state_valid" CHECK ("stored_state" IN (1, 2, 3, 4, 5, 6, 10, 11, 12, 20, 21, 22, 23, 24, 25, 30, 40, 41, 42, 43, 44, 45, 46, 47, 50)),
  ADD CONSTRAINT "post_version_positive" CHECK ("version" > 0),
  ADD CONSTRAINT "post_account_and_network" CHECK (("account_id" IS NULL) = ("network" IS NULL)),
  ADD CONSTRAINT "post_account_unless_draft" CHECK ("account_id" IS NOT NULL OR "stored_state" BETWEEN 20 AND 25),
  ADD CONSTRAINT "post_dated_unless_undated_draft" CHECK (("scheduled_at" IS NULL) = ("stored_state" IN (21, 23, 25)) OR "stored_state" BETWEEN 30 AND 50),
  ADD CONSTRAINT "post_scheduled_at_whole_seconds" CHECK (extract(epoch FROM "scheduled_at") = floor(extract(epoch FROM "scheduled_at"))),
  ADD CONSTRAINT "post_not_its_own_parent" CHECK ("parent_id" <> "id"),
  ADD CONSTRAINT "post_queued_while_scheduled" CHECK ("queued_at" IS NULL OR "stored_state" BETWEEN 1 AND 6);

ALTER TABLE "post_body"
  ADD CONSTRAINT "post_body_text_length" CHECK (char_length("text") <= 100000),
  ADD CONSTRAINT "post_body_title_length" CHECK (char_length("title") <= 2000),
  ADD CONSTRAINT "post_body_excerpt_length" CHECK (char_length("excerpt") <= 20000),
  ADD CONSTRAINT "post_body_duration_positive" CHECK ("duration" > 0);

-- Access to a media item is checked by searching the posts that feature it.
CREATE INDEX "post_body_featured_media_idx" ON "post_body"(("featured_media"->>'id')) WHERE "featured_media" IS NOT NULL;

ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_key_length" CHECK (char_length("key") BETWEEN 1 AND 255);

ALTER TABLE "job" ADD CONSTRAINT "job_finished_when_not_working" CHECK (("finished_at" IS NULL) = ("status" = 'working'));

-- At most one edit of a post runs at a time, regardless of the number of workers.
ALTER TABLE "job" ADD CONSTRAINT "job_one_edit_per_post" EXCLUDE ("post_id" WITH =) WHERE ("leased_until" IS NOT NULL AND "kind" = 'network_edit');

ALTER TABLE "job" ADD CONSTRAINT "job_leased_while_working" CHECK ("leased_until" IS NULL OR "status" = 'working');

-- Rows are updated in place frequently: free space in each page for new row versions, and vacuum before dead rows accumulate.
ALTER TABLE "post_count" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Keeps post_count up to date in the transaction of each statement that writes posts. Statement-level triggers: moving a
-- thousand posts writes two counts. A private draft is counted for its creator. Each connection writes to one of sixteen
-- slots, so that concurrent writers rarely wait for each other. Only the sum over the slots is meaningful: a single slot
-- may be negative.
CREATE FUNCTION "count_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_count AS counted (workspace_id, stored_state, creator_id, slot, posts)
    SELECT workspace_id, stored_state, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, count(*)
      FROM new_posts WHERE deleted_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, stored_state, creator_id, slot) DO UPDATE SET posts = counted.posts + excluded.posts;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO post_count AS counted (workspace_id, stored_state, creator_id, slot, posts)
    SELECT workspace_id, stored_state, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, -count(*)
      FROM old_posts WHERE deleted_at IS NULL AND EXISTS (SELECT FROM workspace WHERE id = old_posts.workspace_id) -- deleting a workspace has already deleted its counts
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, stored_state, creator_id, slot) DO UPDATE SET posts = counted.posts + excluded.posts;
  ELSE
    INSERT INTO post_count AS counted (workspace_id, stored_state, creator_id, slot, posts)
    SELECT workspace_id, stored_state, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, pg_backend_pid() % 16, sum(change)
      FROM (SELECT workspace_id, stored_state, creator_id, -1 AS change FROM old_posts WHERE deleted_at IS NULL
            UNION ALL SELECT workspace_id, stored_state, creator_id, 1 FROM new_posts WHERE deleted_at IS NULL) moved
     GROUP BY 1, 2, 3 HAVING sum(change) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, stored_state, creator_id, slot) DO UPDATE SET posts = counted.posts + excluded.posts;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "delete_post_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM post_count;
  ELSE
    DELETE FROM post_count WHERE workspace_id IN (SELECT id FROM old_workspaces);
  END IF;
  RETURN NULL;
END $$;

-- Recounts all posts. Call it after loading posts with triggers disabled: only the triggers maintain the counts.
CREATE FUNCTION "recount_posts"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE post IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM post_count;
  INSERT INTO post_count (workspace_id, stored_state, creator_id, slot, posts)
  SELECT workspace_id, stored_state, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, 0, count(*)
    FROM post WHERE deleted_at IS NULL GROUP BY 1, 2, 3;
END $$;

CREATE TRIGGER "post_count_inserted" AFTER INSERT ON "post" REFERENCING NEW TABLE AS new_posts FOR EACH STATEMENT EXECUTE FUNCTION "count_posts"();
CREATE TRIGGER "post_count_updated" AFTER UPDATE ON "post" REFERENCING OLD TABLE AS old_posts NEW TABLE AS new_posts FOR EACH STATEMENT EXECUTE FUNCTION "count_posts"();
CREATE TRIGGER "post_count_deleted" AFTER DELETE ON "post" REFERENCING OLD TABLE AS old_posts FOR EACH STATEMENT EXECUTE FUNCTION "count_posts"();
CREATE TRIGGER "post_count_truncated" AFTER TRUNCATE ON "post" FOR EACH STATEMENT EXECUTE FUNCTION "delete_post_counts"();
CREATE TRIGGER "post_count_workspace_deleted" AFTER DELETE ON "workspace" REFERENCING OLD TABLE AS old_workspaces FOR EACH STATEMENT EXECUTE FUNCTION "delete_post_counts"();

ALTER TABLE "user_version" ADD CONSTRAINT "user_version_one_row" CHECK ("id" = 1);
INSERT INTO "user_version" DEFAULT VALUES;

-- Processes cache accounts, labels and users, and validate the cache with the versions that every list reads: unique
-- values that are never reused. Each change or deletion of a cached row sets a new version in the same transaction,
-- including changes made outside the gateway. New rows need none: they are in no cache.
CREATE FUNCTION "renew_related_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET related_version = gen_random_uuid() WHERE id = OLD.workspace_id;
  RETURN NULL;
END $$;

CREATE FUNCTION "renew_user_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE user_version SET version = gen_random_uuid();
  RETURN NULL;
END $$;

CREATE TRIGGER "account_changed" AFTER UPDATE OF id, type, name, picture, network, social_id, needs_reauth, sandbox ON "account"
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION renew_related_version();
CREATE TRIGGER "account_deleted" AFTER DELETE ON "account" FOR EACH ROW EXECUTE FUNCTION renew_related_version();
CREATE TRIGGER "label_changed" AFTER UPDATE OF id, name, color ON "label"
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION renew_related_version();
CREATE TRIGGER "label_deleted" AFTER DELETE ON "label" FOR EACH ROW EXECUTE FUNCTION renew_related_version();
CREATE TRIGGER "user_changed" AFTER UPDATE OF id, name, picture ON "app_user" FOR EACH STATEMENT EXECUTE FUNCTION renew_user_version();
CREATE TRIGGER "user_deleted" AFTER DELETE ON "app_user" FOR EACH STATEMENT EXECUTE FUNCTION renew_user_version();
