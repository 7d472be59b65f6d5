import { enumKeys, type VocabularyEntry } from '../enums.js';

/** What the slots of a process are used for (domain/jobs/job-slots.ts). */
export type SlotUse = 'publication' | 'files' | 'numbers' | 'other';

/** How workers run a kind of job. */
interface WorkerFacts {
  readonly slots: SlotUse;
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
    worker: { slots: 'other', priority: 3, maxAttemptSeconds: 90 },
  },
  publish: {
    description: 'Publishes a post on its social network.',
    source: 'D52',
    // Preparing, publishing and looking each end within 30 s, or go on while the bytes of a file flow.
    worker: { slots: 'publication', priority: 4, maxAttemptSeconds: 1_320 },
  },
  notification: {
    description: 'Delivered a notification, in version 0.2.0 and earlier.',
    source: 'Update post, rule 5',
    worker: { slots: 'other', priority: 2, maxAttemptSeconds: 60 },
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
    worker: { slots: 'other', priority: 2, maxAttemptSeconds: 60 },
  },
  share: {
    description:
      'Follows the posts that `schedulePosts` or `retryPosts` publishes immediately. Ends when each of them is published, has failed, or requires someone to act.',
    source: 'D51',
    worker: { slots: 'other', priority: 2, maxAttemptSeconds: 60 },
  },
  unpublish: {
    description:
      'Removes published posts from their social networks. May also delete them in the gateway.',
    source: 'D62',
    // An attempt starts calls for a minute, and each of them ends within 30 s.
    worker: { slots: 'other', priority: 3, maxAttemptSeconds: 150 },
  },
  media: {
    description: 'Fetches media files from other servers.',
    source: 'D63',
    // An attempt fetches one file, which arrives within two minutes.
    worker: { slots: 'files', priority: 2, maxAttemptSeconds: 300 },
  },
  webhook: {
    description: 'Sends messages of a webhook again.',
    source: 'D75',
    // The messages are queued in batches; sending them is not part of the job.
    worker: { slots: 'other', priority: 2, maxAttemptSeconds: 600 },
  },
  numbers: {
    description: 'Reads the numbers of published posts of an account from its network.',
    source: 'D91',
    // An attempt makes one call, which ends within 30 s.
    worker: { slots: 'numbers', priority: 0, maxAttemptSeconds: 90 },
  },
  connection: {
    description:
      'Renews the access to connected accounts, and asks their networks once a day whether they accept them.',
    source: 'D86',
    // An attempt starts work for a minute; each renewal or check ends within 30 s.
    worker: { slots: 'other', priority: 3, maxAttemptSeconds: 150 },
  },
  purge: {
    description: 'Deletes expired records.',
    source: 'D32',
    worker: { slots: 'other', priority: 1, maxAttemptSeconds: 600 },
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
