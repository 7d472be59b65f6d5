import { STREAM_LIMITS } from '../../domain/events/stream-limits.js';

/** Counts the open streams of keys over all processes. */
export interface SharedStreamCounts {
  /**
   * Reports how many streams this process has for the key. With `max`, nothing is reported and the
   * result is false if all processes together have more. Null while the counter is unavailable.
   */
  report(keyId: string, count: number, max?: number): Promise<boolean | null>;
}

/** Limits the streams that each key has open at once. */
export interface StreamSlots {
  /** False if the key has the maximum number of streams. */
  acquire(keyId: string): Promise<boolean>;
  release(keyId: string): void;
  close(): void;
}

/**
 * Creates the limit. Streams are counted over all processes; without Redis, and while it is
 * unavailable, in this process only.
 * @param shared null without Redis
 */
export function createStreamSlots(shared: SharedStreamCounts | null): StreamSlots {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function reportAll(): void {
    for (const [keyId, count] of counts) void shared?.report(keyId, count);
  }

  function change(keyId: string, by: 1 | -1): number {
    const count = (counts.get(keyId) ?? 0) + by;
    if (count > 0) counts.set(keyId, count);
    else counts.delete(keyId);
    if (counts.size === 0) clearInterval(timer);
    if (counts.size === 0) timer = undefined;
    else if (shared) timer ??= setInterval(reportAll, STREAM_LIMITS.reportMs).unref();
    return count;
  }

  return {
    async acquire(keyId) {
      const count = change(keyId, 1);
      const isFree =
        count <= STREAM_LIMITS.perKey &&
        (await shared?.report(keyId, count, STREAM_LIMITS.perKey)) !== false;
      if (!isFree) change(keyId, -1);
      return isFree;
    },
    release(keyId) {
      const count = change(keyId, -1);
      void shared?.report(keyId, count);
    },
    close: () => clearInterval(timer),
  };
}
