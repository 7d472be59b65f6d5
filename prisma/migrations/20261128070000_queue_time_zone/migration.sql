-- Without a time zone of its own, a queue uses that of its workspace, also when that changes.
ALTER TABLE "posting_schedule" ALTER COLUMN "time_zone" DROP NOT NULL;
