import type { WindowCount } from '../../domain/access/rate-window.js';

/** Counts requests in this process. */
export interface LocalRateCounter {
  increment(key: string, now: Date): WindowCount;
  /** Continues from a shared count. */
  adopt(key: string, count: WindowCount): void;
  /** The open window of the key. */
  find(key: string, now: Date): KnownWindow | undefined;
}

/** A window as a process last saw it. */
export type KnownWindow = Pick<WindowCount, 'count' | 'resetAt'>;

/** A count over all processes, and the grants version of the user at that moment. */
export interface SharedWindowCount extends WindowCount {
  readonly grantsVersion: string;
}
/** What a process knows about the counts of a user or an address. */
export interface CountExpectations {
  /** If the shared counter has lost counts of this window, it continues from them. */
  readonly known?: KnownWindow | undefined;
  /** Any if undefined. */
  readonly grantsVersion?: string | undefined;
}
/** Counts requests over all processes (D37, D38). */
export interface SharedRateCounter {
  /**
   * Counts one request. If the user's grants version differs from the expected one, nothing is
   * counted, `count` is 0 and cached grants of the user have to be read again. Null while the
   * counter is unavailable.
   */
  increment(key: string, expectations?: CountExpectations): Promise<SharedWindowCount | null>;
}
