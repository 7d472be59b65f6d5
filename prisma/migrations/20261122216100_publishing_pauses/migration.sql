-- Times at which nothing is published. Kept after they end: what became due between backup_at and paused_at may have been
-- published by the database that the backup was made of.
CREATE TABLE "publishing_pause" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "paused_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "backup_at" TIMESTAMPTZ(3),
    "resumed_at" TIMESTAMPTZ(3),
    CONSTRAINT "publishing_pause_pkey" PRIMARY KEY ("id")
);

-- The identifier that this table had when the service last ran: a restored dump creates the table again, with another one.
CREATE TABLE "database_home" (
    "home" OID NOT NULL,
    "alive_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "database_home_pkey" PRIMARY KEY ("home")
);
INSERT INTO "database_home" ("home") VALUES ('database_home'::regclass);

-- False: nothing was sent in this attempt. It looks for a post that was published before a backup was restored.
ALTER TABLE "publication_attempt" ADD COLUMN "is_sent" BOOLEAN NOT NULL DEFAULT true;
