-- Jobs that read numbers of published posts. In a migration of its own: a new value cannot be used in the transaction that adds it.
ALTER TYPE "job_kind" ADD VALUE 'numbers';
