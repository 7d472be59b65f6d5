-- What happened: one row for each effect of a change, written in the transaction of the change. Names and IDs only, no values.
-- No foreign keys: events outlive deleted posts, and the check of each row would lock the row of its workspace.
CREATE TABLE "event" (
    "workspace_id" TEXT NOT NULL,
    "transaction_id" BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    "sequence" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "post_id" BIGINT,
    "doc_id" CHAR(24),
    "account_id" TEXT,
    "record_id" TEXT,
    "version" INTEGER,
    "user_id" TEXT,
    "key_id" TEXT,
    "api" TEXT NOT NULL,
    "changed" TEXT[] NOT NULL,
    "state_before" SMALLINT,
    "state_after" SMALLINT,
    "visible_to" TEXT,

    CONSTRAINT "event_pkey" PRIMARY KEY ("workspace_id", "transaction_id", "sequence", "at")
) PARTITION BY RANGE ("at");

-- Events of a week without a partition of its own: no insert fails because of the time.
CREATE TABLE "event_default" PARTITION OF "event" DEFAULT;
CREATE INDEX "event_default_at_idx" ON "event_default"("at");

-- Creates the missing partitions of the weeks (from Monday, UTC) between two times. A week of which the default partition has events stays there:
-- to move them would block all changes. ATTACH instead of PARTITION OF: it does not wait for running changes.
CREATE FUNCTION "add_event_partitions"("from" timestamptz, "until" timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  week timestamptz := date_trunc('week', "from" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  partition text;
BEGIN
  WHILE week <= "until" LOOP
    partition := 'event_' || to_char(week AT TIME ZONE 'UTC', 'YYYYMMDD');
    IF to_regclass(quote_ident(partition)) IS NULL
       AND NOT EXISTS (SELECT FROM event_default WHERE at >= week AND at < week + interval '7 days') THEN
      EXECUTE format('CREATE TABLE %I (LIKE event INCLUDING ALL)', partition);
      EXECUTE format('ALTER TABLE event ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, week, week + interval '7 days');
    END IF;
    week := week + interval '7 days';
  END LOOP;
END $$;

SELECT "add_event_partitions"(now() - interval '7 days', now() + interval '28 days');
