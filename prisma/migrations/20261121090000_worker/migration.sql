-- AlterTable
ALTER TABLE "account" ADD COLUMN     "paused_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "job" ADD COLUMN     "lane" TEXT,
ADD COLUMN     "turn_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "revision" ALTER COLUMN "user_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "removed_import" (
    "workspace_id" TEXT NOT NULL,
    "import_key" TEXT NOT NULL,

    CONSTRAINT "removed_import_pkey" PRIMARY KEY ("workspace_id","import_key")
);

-- CreateTable
CREATE TABLE "network_lane" (
    "lane" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "network_lane_pkey" PRIMARY KEY ("lane")
);

-- CreateIndex
CREATE INDEX "job_lane_idx" ON "job"("lane") WHERE "lane" IS NOT NULL;

-- CreateIndex
CREATE INDEX "notification_post_id_idx" ON "notification"("post_id");

-- CreateIndex
CREATE INDEX "post_sync_job_id_idx" ON "post_sync"("job_id");

-- AddForeignKey
ALTER TABLE "removed_import" ADD CONSTRAINT "removed_import_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma's schema language cannot say.

-- The edits of one post run one at a time, whatever the workers do.
ALTER TABLE "job" ADD CONSTRAINT "job_one_edit_a_post" EXCLUDE ("post_id" WITH =) WHERE ("leased_until" IS NOT NULL AND "kind" = 'network_edit');

ALTER TABLE "job" ADD CONSTRAINT "job_leased_while_working" CHECK ("leased_until" IS NULL OR "status" = 'working');
