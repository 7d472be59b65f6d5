-- Identifies the database to the cursors of changes, which are valid in one database only. Backups do not contain it, and a restore renews it.
CREATE TABLE "database_identity" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "identity" UUID NOT NULL DEFAULT gen_random_uuid(),

    CONSTRAINT "database_identity_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "database_identity_one_row" CHECK ("id" = 1)
);
INSERT INTO "database_identity" DEFAULT VALUES;
