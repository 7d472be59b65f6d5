import type { Job } from '../../domain/jobs/job.js';
import type { JobStatus } from '../../domain/vocabulary.js';

/** A job as an operator sees it. */
export interface JobEntry extends Job {
  readonly workspaceId: string | null;
  readonly attempts: number;
  /** When the next attempt may begin. */
  readonly dueAt: Date;
  /** The document id of its post. */
  readonly about: string | null;
}

/** All workspaces' jobs, for the operator. Those that failed are the dead letters: nothing is done about them unless it is asked for. */
export interface OperatorJobs {
  /** Newest first. */
  list(status: JobStatus, most: number): Promise<JobEntry[]>;
  /** Puts failed jobs back in the line, as if they were new; gives the ids of those that it could. An import is started again with its own command. */
  retry(ids: readonly string[] | 'every failed one'): Promise<string[]>;
}
