-- occurrence_date: the date of the rule of its series that an occurrence belongs to. A deleted row keeps it: no other occurrence is created for the date.
ALTER TABLE "post" ADD COLUMN "occurrence_date" TIMESTAMPTZ(3);

-- Dates that no row keeps any more: of occurrences that were purged, or became independent posts with their series.
CREATE TABLE "series_exception" (
    "series_id" BIGINT NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "series_exception_pkey" PRIMARY KEY ("series_id", "date"),
    CONSTRAINT "series_exception_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Existing occurrences: of one that was moved, the time before the move; of others, their own. Occurrences that a change of the rule deleted have none, nor does the second one of two with the same date.
WITH occurrence AS (
  SELECT p."id", p."parent_id", p."deleted_at", COALESCE(moved."from", p."scheduled_at") AS "date"
    FROM "post" p LEFT JOIN LATERAL (
      SELECT (r."changes"->'scheduledAt'->>'from')::timestamptz AS "from" FROM "revision" r
       WHERE r."post_id" = p."id" AND r."changes"->'ownFields'->'to' ? 'scheduledAt' AND NOT r."changes"->'ownFields'->'from' ? 'scheduledAt'
       ORDER BY r."version" LIMIT 1
    ) moved ON true
   WHERE p."parent_id" IS NOT NULL
     AND NOT (p."deleted_at" IS NOT NULL AND EXISTS (SELECT FROM "revision" r WHERE r."post_id" = p."parent_id" AND r."at" = p."deleted_at"))
), numbered AS (
  SELECT *, row_number() OVER (PARTITION BY "parent_id", "date", "deleted_at" IS NULL ORDER BY "id") AS n FROM occurrence
)
UPDATE "post" p SET "occurrence_date" = o."date" FROM numbered o WHERE p."id" = o."id" AND o.n = 1;

-- Whatever runs at the same time, two occurrences never have the same date.
CREATE UNIQUE INDEX "post_occurrence_key" ON "post"("parent_id", "occurrence_date") WHERE "deleted_at" IS NULL;
