-- AlterTable
ALTER TABLE "account" ADD COLUMN     "sandbox" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "job" ADD COLUMN     "attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "leased_until" TIMESTAMPTZ(3),
ADD COLUMN     "notification_id" TEXT,
ALTER COLUMN "workspace_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "post" ADD COLUMN     "remote_id" TEXT;

-- AlterTable
-- Of what the first release edited only the text is known: all the rest is in doubt, and the next edit brings it whole.
ALTER TABLE "post_sync" ADD COLUMN     "in_doubt" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "live" JSONB;
UPDATE "post_sync" SET "live" = jsonb_strip_nulls(jsonb_build_object('text', "live_text")), "in_doubt" = true;
ALTER TABLE "post_sync" DROP COLUMN "live_text", ALTER COLUMN "live" SET NOT NULL;

-- CreateTable
CREATE TABLE "account_credential" (
    "account_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_credential_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "job_due_idx" ON "job"("due_at") WHERE "status" = 'working';

-- CreateIndex
CREATE INDEX "job_finished_at_idx" ON "job"("finished_at");

-- CreateIndex
CREATE INDEX "post_deleted_idx" ON "post"("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "account_credential" ADD CONSTRAINT "account_credential_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notification"("id") ON DELETE CASCADE ON UPDATE CASCADE;
