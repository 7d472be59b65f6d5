import { JOB_KINDS, type SlotUse, type WorkerJobKind } from './job-kinds.js';

/** A job that holds a slot. */
export interface SlotHolder {
  readonly kind: WorkerJobKind;
  /** Null if the job is of no workspace. */
  readonly workspaceId: string | null;
}

/** How many jobs a claim may take. */
export interface ClaimLimits {
  /** Of all kinds together. */
  readonly jobs: number;
  /** Of all kinds but publications. */
  readonly otherJobs: number;
  /** Of one kind. */
  readonly ofKind: (kind: WorkerJobKind) => number;
  /** Jobs of one workspace that run at the same time, those included that run already. */
  readonly ofWorkspace: (kind: WorkerJobKind) => number;
  /** Jobs that run already, by share (`shareOf`). */
  readonly running: ReadonlyMap<string, number>;
  /** Shares whose jobs are passed over. */
  readonly passedOver: readonly string[];
}

/**
 * What a workspace may hold at most half of: the slots that it can use with a job of this kind.
 * Null if the job is of no workspace.
 */
const shareOf = ({ kind, workspaceId }: SlotHolder): string | null =>
  workspaceId === null ? null : `${JOB_KINDS[kind].worker.slots} ${workspaceId}`;

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | null) {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/**
 * The slots of a process that runs `concurrency` jobs at the same time (at least 1). Slow jobs of
 * one kind or workspace leave slots to the others: a quarter is reserved for publications, files and
 * numbers have at most a quarter each, and a workspace has at most half of what its jobs can use.
 * Each of these is at least one slot, so that with a concurrency of 1 every job takes the same one.
 */
export function createJobSlots(concurrency: number) {
  const quarter = Math.max(1, Math.floor(concurrency / 4));
  const slots: Readonly<Record<SlotUse, number>> = {
    publication: concurrency,
    files: quarter,
    numbers: quarter,
    other: Math.max(1, concurrency - quarter),
  };
  const ofWorkspace = (kind: WorkerJobKind): number =>
    Math.ceil(slots[JOB_KINDS[kind].worker.slots] / 2);

  return {
    /** What fits beside the running jobs. */
    limits(running: readonly SlotHolder[], passedOver: readonly string[] = []): ClaimLimits {
      const used = countBy(running, ({ kind }) => JOB_KINDS[kind].worker.slots);
      const usedFor = (use: SlotUse): number => used.get(use) ?? 0;
      const jobs = concurrency - running.length;
      const usedByOthers = usedFor('other') + usedFor('files') + usedFor('numbers');
      const otherJobs = Math.min(jobs, slots.other - usedByOthers);
      const free: Readonly<Record<SlotUse, number>> = {
        publication: jobs,
        files: Math.min(otherJobs, slots.files - usedFor('files')),
        numbers: Math.min(otherJobs, slots.numbers - usedFor('numbers')),
        other: otherJobs,
      };
      return {
        jobs,
        otherJobs: Math.max(0, otherJobs),
        ofKind: (kind) => Math.max(0, free[JOB_KINDS[kind].worker.slots]),
        ofWorkspace,
        running: countBy(running, shareOf),
        passedOver,
      };
    },
    /** The shares that are used up: further due jobs of them hide those of other workspaces. */
    usedUp(running: readonly SlotHolder[]): string[] {
      const counts = countBy(running, shareOf);
      const isUsedUp = (job: SlotHolder): boolean =>
        (counts.get(shareOf(job) ?? '') ?? 0) >= ofWorkspace(job.kind);
      return [...new Set(running.filter(isUsedUp).flatMap((job) => shareOf(job) ?? []))];
    },
  };
}
