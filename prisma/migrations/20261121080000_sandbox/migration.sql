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

-- AddForeignKey
ALTER TABLE "sandbox_post" ADD CONSTRAINT "sandbox_post_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_fault" ADD CONSTRAINT "sandbox_fault_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_account" ADD CONSTRAINT "sandbox_account_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_clock" ADD CONSTRAINT "sandbox_clock_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The accounts of a demo that the first release made: no network knows them, and the addresses of its people are nobody else's.
UPDATE "account" SET "sandbox" = true
  FROM "membership" m JOIN "app_user" u ON u."id" = m."user_id"
 WHERE m."workspace_id" = "account"."workspace_id" AND m."role" = 'owner' AND u."email" LIKE '%@nordlicht.example';
