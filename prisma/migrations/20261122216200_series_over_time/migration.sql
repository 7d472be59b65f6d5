-- extend_at: when the next occurrences of a series are created; null for its next date (scheduled_at).
-- occurrence_state: the stored state that tells whether occurrences created later are approved; null if unknown.
ALTER TABLE "post" ADD COLUMN "extend_at" TIMESTAMPTZ(3), ADD COLUMN "occurrence_state" SMALLINT;

-- Of existing series: pending if an occurrence is, otherwise as if no approval were needed.
UPDATE "post" p SET "occurrence_state" = CASE
  WHEN EXISTS (SELECT FROM "post" c WHERE c."parent_id" = p."id" AND c."stored_state" IN (3, 4) AND c."deleted_at" IS NULL) THEN 3
  ELSE 1 END
 WHERE p."stored_state" = 50;

-- Series in the order in which they need occurrences. The worker reads only those whose time has come.
CREATE INDEX "post_series_idx" ON "post" (COALESCE("extend_at", "scheduled_at")) WHERE "stored_state" = 50 AND "deleted_at" IS NULL;
