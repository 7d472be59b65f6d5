-- Jobs that fetch the files of media. In a migration of its own: a new value cannot be used in the transaction that adds it.
ALTER TYPE "job_kind" ADD VALUE 'media';
