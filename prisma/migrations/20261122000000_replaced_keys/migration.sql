-- The key that was made in the place of another one: so that none is replaced twice.
ALTER TABLE "api_key" ADD COLUMN "replaced_by" TEXT;
