import type { Answer, Request } from './asking.js';
import type { Told } from './changes.js';
import type { FaultKind } from './fault-kinds.js';

/** What a client was told of one request. */
export interface Attempt {
  /** HTTP's; null where no answer came. */
  readonly status: number | null;
  /** `OK`, the code of a refusal, or why no answer came. */
  readonly code: string;
  /** What was said beside it. */
  readonly message: string;
  /** The header of that name. */
  readonly retryAfter: string | null;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Which gateway was asked. */
  readonly gateway: number;
  /** Whether it was sent again with its idempotency key: then the one before may be under way still, and is waited for. */
  readonly hasTwin: boolean;
}

/**
 * A change that was asked for, once or, with an idempotency key, until it was clear what became of it. `unknown`: nobody
 * was told, so it may have been made or not, but not in part and not twice.
 */
export interface Change {
  readonly kind: string;
  /** A word that no other change has: in the text or the labels that it brings. */
  readonly mark: string;
  /** The posts that it names. */
  readonly posts: readonly string[];
  readonly key: string | null;
  /** The date that it gives the post, where it gives one: ISO 8601, whole seconds. */
  readonly scheduledAt: string | null;
  /** The last day that it gives a series, where it gives one: `2026-11-21`. */
  readonly endDate: string | null;
  /** That the post has to have, where it is asked for. */
  readonly expectedVersion: number | null;
  readonly request: Request;
  /** How its door tells of it. */
  readonly read: (answer: Answer) => Told | null;
  readonly attempts: Attempt[];
  outcome: 'done' | 'refused' | 'unknown';
  /** Why it was refused. */
  code: string | null;
  /** That the post has by it, where it was told. */
  version: number | null;
  /** That brings it to its network. */
  job: string | null;
  /** The post's, with it. */
  text: string | null;
}

/** A post as it was shown. */
export interface Reading {
  readonly post: string;
  readonly version: number;
  readonly text: string;
  /** The version that had been acknowledged before it was asked for. */
  readonly atLeast: number;
}

/** Something that went wrong, from its begin until every gateway served again; how long serving again took once it was mended. */
export interface FaultTime {
  readonly kind: FaultKind;
  readonly from: number;
  to: number;
  recoveryMs: number;
  /** The place of the process that was killed, among its like. */
  victim: number | null;
}

/** Everything that was done and answered, for whoever judges it afterwards. */
export interface Journal {
  readonly changes: Change[];
  readonly readings: Reading[];
  /** Of requests that read. */
  readonly attempts: Attempt[];
  readonly faults: FaultTime[];
  /** Promises that were seen to be broken while it ran. */
  readonly broken: string[];
  /** By post: the highest version that was acknowledged. */
  readonly acknowledged: Map<string, number>;
}

export const aJournal = (): Journal => ({
  changes: [],
  readings: [],
  attempts: [],
  faults: [],
  broken: [],
  acknowledged: new Map(),
});

export function acknowledge({ acknowledged }: Journal, post: string, version: number): void {
  acknowledged.set(post, Math.max(version, acknowledged.get(post) ?? 0));
}
