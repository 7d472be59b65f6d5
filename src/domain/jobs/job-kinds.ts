import { enumKeys, type VocabularyEntry } from '../enums.js';

/** How workers run a kind of job. */
interface WorkerFacts {
  /** Due jobs with a higher number are started first. */
  readonly priority: number;
  /** Maximum duration of an attempt: after it, another worker may take over the job. */
  readonly maxAttemptSeconds: number;
}

interface JobKindEntry extends VocabularyEntry {
  /** Null if workers never run it: the command that starts it does. */
  readonly worker: WorkerFacts | null;
}

/** Kinds of jobs (D42). Posts are published on time before anything else. */
export const JOB_KINDS = {
  network_edit: {
    description: 'Updates a published post on its social network.',
    source: 'Update post, rule 6',
    // A call to a network ends within 30 s, and moving the posts of a rejected account may follow.
    worker: { priority: 3, maxAttemptSeconds: 90 },
  },
  publish: {
    description: 'Publishes a post on its social network.',
    source: 'D52',
    // Preparing, publishing and looking each end within 30 s.
    worker: { priority: 4, maxAttemptSeconds: 120 },
  },
  notification: {
    description: 'Delivered a notification, in version 0.2.0 and earlier.',
    source: 'Update post, rule 5',
    worker: { priority: 2, maxAttemptSeconds: 60 },
  },
  import: {
    description: 'Imports posts from an export file.',
    source: 'D7',
    worker: null,
  },
  create: {
    description:
      'Creates posts. If it also publishes them immediately, it ends when their publication has ended.',
    source: 'D51',
    // The posts exist when the job is queued: an attempt only looks at what became of them.
    worker: { priority: 2, maxAttemptSeconds: 60 },
  },
  share: {
    description:
      'Follows the posts that `schedulePosts` or `retryPosts` publishes immediately. Ends when each of them is published, has failed, or requires someone to act.',
    source: 'D51',
    worker: { priority: 2, maxAttemptSeconds: 60 },
  },
  unpublish: {
    description:
      'Removes published posts from their social networks. May also delete them in the gateway.',
    source: 'D62',
    // An attempt starts calls for a minute, and each of them ends within 30 s.
    worker: { priority: 3, maxAttemptSeconds: 150 },
  },
  media: {
    description: 'Fetches media files from other servers.',
    source: 'D63',
    // A file arrives within two minutes, and the job may have many.
    worker: { priority: 2, maxAttemptSeconds: 600 },
  },
  webhook: {
    description: 'Sends messages of a webhook again.',
    source: 'D75',
    // The messages are queued in batches; sending them is not part of the job.
    worker: { priority: 2, maxAttemptSeconds: 600 },
  },
  purge: {
    description: 'Deletes expired records.',
    source: 'D32',
    worker: { priority: 1, maxAttemptSeconds: 600 },
  },
} as const satisfies Record<string, JobKindEntry>;
export type JobKind = keyof typeof JOB_KINDS;

/** The kinds that workers run. */
export type WorkerJobKind = {
  [Kind in JobKind]: (typeof JOB_KINDS)[Kind]['worker'] extends null ? never : Kind;
}[JobKind];

const isWorkerJobKind = (kind: JobKind): kind is WorkerJobKind => JOB_KINDS[kind].worker !== null;

/** The kinds that workers run, highest priority first. */
export const WORKER_JOB_KINDS: readonly WorkerJobKind[] = enumKeys(JOB_KINDS)
  .filter(isWorkerJobKind)
  .toSorted((a, b) => JOB_KINDS[b].worker.priority - JOB_KINDS[a].worker.priority);
