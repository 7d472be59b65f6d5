-- attempts: the attempt of its job in which a file was last tried. An attempt fetches one file, and the next one continues with the files that are left.
ALTER TABLE "media_file" ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0;
