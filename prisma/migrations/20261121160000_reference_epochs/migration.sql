-- AlterTable
ALTER TABLE "workspace" ADD COLUMN "reference_epoch" UUID NOT NULL DEFAULT gen_random_uuid();

-- CreateTable
CREATE TABLE "user_epoch" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "epoch" UUID NOT NULL DEFAULT gen_random_uuid(),

    CONSTRAINT "user_epoch_pkey" PRIMARY KEY ("id")
);


-- What Prisma's schema language cannot say.

ALTER TABLE "user_epoch" ADD CONSTRAINT "user_epoch_one_row" CHECK ("id" = 1);
INSERT INTO "user_epoch" DEFAULT VALUES;

-- Processes remember accounts, labels and people, and every list tells them the epoch that these are in: a word that
-- never comes again. What changes one of them begins a new epoch in the same transaction, whoever it is and by whatever
-- means. New ones need none: nobody remembers them.
CREATE FUNCTION "begin_reference_epoch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET reference_epoch = gen_random_uuid() WHERE id = OLD.workspace_id;
  RETURN NULL;
END $$;

CREATE FUNCTION "begin_user_epoch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE user_epoch SET epoch = gen_random_uuid();
  RETURN NULL;
END $$;

CREATE TRIGGER "account_changed" AFTER UPDATE OF id, type, name, picture, network, social_id, needs_reauth, sandbox ON "account"
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION begin_reference_epoch();
CREATE TRIGGER "account_removed" AFTER DELETE ON "account" FOR EACH ROW EXECUTE FUNCTION begin_reference_epoch();
CREATE TRIGGER "label_changed" AFTER UPDATE OF id, name, color ON "label"
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION begin_reference_epoch();
CREATE TRIGGER "label_removed" AFTER DELETE ON "label" FOR EACH ROW EXECUTE FUNCTION begin_reference_epoch();
CREATE TRIGGER "user_changed" AFTER UPDATE OF id, name, picture ON "app_user" FOR EACH STATEMENT EXECUTE FUNCTION begin_user_epoch();
CREATE TRIGGER "user_removed" AFTER DELETE ON "app_user" FOR EACH STATEMENT EXECUTE FUNCTION begin_user_epoch();
