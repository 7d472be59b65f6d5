-- When an account publishes the posts of its queue. Slots are minutes of the week, 0 is Monday 00:00.
CREATE TABLE "posting_schedule" (
    "account_id" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "slots" SMALLINT[] NOT NULL,
    CONSTRAINT "posting_schedule_pkey" PRIMARY KEY ("account_id"),
    CONSTRAINT "posting_schedule_slots_valid" CHECK (0 <= ALL ("slots") AND 10079 >= ALL ("slots"))
);
ALTER TABLE "posting_schedule" ADD CONSTRAINT "posting_schedule_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
