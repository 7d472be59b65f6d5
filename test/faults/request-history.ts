import type { ChangeResult } from './change-formats.js';
import type { FaultKind } from './fault-kinds.js';
import type { GatewayRequest, GatewayResponse } from './gateway-client.js';
import type { ReceivedEvent, ReceivedMessage } from './received-events.js';

/** One request and its response, without the body. */
export interface Attempt {
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** `OK`, the error code, or the reason why there is no response. */
  readonly code: string;
  readonly message: string;
  /** Value of the `Retry-After` header. */
  readonly retryAfter: string | null;
  /** Milliseconds, from `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Index of the gateway. */
  readonly gateway: number;
  /**
   * True if the same idempotency key was sent before: the first attempt may still be running, and
   * the gateway waits for it.
   */
  readonly isRetry: boolean;
  /**
   * Milliseconds in which the gateway or the client was ready to run, and had no core. They do not
   * count as time of the response. Absent if they were not measured.
   */
  withoutCoreMs?: number;
}

/**
 * A change: sent once or, with an idempotency key, until its outcome is known. An `unknown` change
 * may have been applied or not, but not in part and not twice.
 */
export interface Change {
  readonly kind: string;
  /** Unique word that the change writes into the text or the labels. */
  readonly mark: string;
  /** IDs of the posts in the request. */
  readonly posts: readonly string[];
  readonly key: string | null;
  /** New date of the post, if the change sets one: ISO 8601, whole seconds. */
  readonly scheduledAt: string | null;
  /** New last day of a series, if the change sets one: `2026-11-21`. */
  readonly endDate: string | null;
  readonly expectedVersion: number | null;
  readonly request: GatewayRequest;
  readonly readResult: (response: GatewayResponse) => ChangeResult | null;
  readonly attempts: Attempt[];
  outcome: 'acknowledged' | 'rejected' | 'unknown';
  /** Error code of a rejected change. */
  code: string | null;
  /** Version of the post after the change, if it was returned. */
  version: number | null;
  /** ID of the job that updates the network. */
  job: string | null;
  /** Text of the post after the change. */
  text: string | null;
}

/** A post as a read returned it. */
export interface PostReading {
  readonly post: string;
  readonly version: number;
  readonly text: string;
  /** Highest version that was acknowledged before the read was sent. */
  readonly minVersion: number;
}

/** A fault, from its start until every gateway serves again. */
export interface InjectedFault {
  readonly kind: Pick<FaultKind, 'name' | 'tolerates' | 'maxWaitMs'>;
  readonly from: number;
  to: number;
  /** Milliseconds from the end of the fault until every gateway serves again. */
  recoveryMs: number;
  /** Index of the killed gateway or worker; null if no such process was killed. */
  target: number | null;
}

/** Everything that was sent and received, for the checks at the end. */
export interface RequestHistory {
  readonly changes: Change[];
  readonly readings: PostReading[];
  /** Attempts of reads. */
  readonly attempts: Attempt[];
  readonly faults: InjectedFault[];
  /** Violations found while the load was running. */
  readonly violations: string[];
  /** Highest acknowledged version by post ID. */
  readonly acknowledgedVersions: Map<string, number>;
  /** What each subscriber received. */
  readonly subscribers: ReceivedEvent[][];
  /** What the receiver of the webhook got. */
  readonly messages: ReceivedMessage[];
}

export const createRequestHistory = (): RequestHistory => ({
  changes: [],
  readings: [],
  attempts: [],
  faults: [],
  violations: [],
  acknowledgedVersions: new Map(),
  subscribers: [],
  messages: [],
});

export function recordVersion(
  { acknowledgedVersions }: RequestHistory,
  post: string,
  version: number,
): void {
  acknowledgedVersions.set(post, Math.max(version, acknowledgedVersions.get(post) ?? 0));
}
