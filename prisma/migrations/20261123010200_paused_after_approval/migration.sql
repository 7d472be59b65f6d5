-- Whether a recycling post that waits for approval, or was declined, is paused once it is approved.
ALTER TABLE "post" ADD COLUMN "paused_after_approval" BOOLEAN NOT NULL DEFAULT false;
