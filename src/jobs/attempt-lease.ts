import type { JobRun } from '../persistence/jobs/job-queue.js';

/** The lease of a running attempt, renewed until the attempt is done or over. */
export interface AttemptLease {
  /** The run for the handler: its `renew` also respects the maximum duration. */
  readonly run: JobRun;
  /** Resolves when the attempt is over before it is done: another worker may have the job. */
  readonly over: Promise<void>;
  isOver(): boolean;
  /** Renews the lease no more: the attempt is done. */
  stop(): void;
}

interface AttemptLeaseOptions {
  /** How often the lease is renewed. */
  readonly heartbeatMs: number;
  /**
   * Maximum duration of the attempt. Without it, the lease of a handler that hangs would be renewed
   * forever.
   */
  readonly maxMs: number;
  /** A clock that never goes back, in milliseconds. */
  now(): number;
  onRenewalError(error: unknown): void;
}

/** Keeps the lease of a run. An attempt that is over stays over. */
export function keepLease(
  run: JobRun,
  { heartbeatMs, maxMs, now, onRenewalError }: AttemptLeaseOptions,
): AttemptLease {
  const endsAt = now() + maxMs;
  let isOver = false;
  let resolveOver = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    resolveOver = resolve;
  });
  const heartbeat = setInterval(() => void renew().catch(onRenewalError), heartbeatMs);

  async function renew(): Promise<boolean> {
    if (!isOver && (now() >= endsAt || !(await run.renew()))) {
      isOver = true;
      clearInterval(heartbeat);
      resolveOver();
    }
    return !isOver;
  }

  return {
    run: { ...run, renew },
    over,
    isOver: () => isOver,
    stop: () => clearInterval(heartbeat),
  };
}
