-- An operator locked the workspace: none of its posts is due.
ALTER TABLE "workspace" ADD COLUMN "locked" BOOLEAN NOT NULL DEFAULT false;
