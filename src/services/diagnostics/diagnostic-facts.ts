/** Result of one check, and what to do if it is not ok. */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly subject: string;
  readonly message: string;
  readonly advice?: string;
}

/**
 * A reading of another machine's clock, between two readings of the local one. All in milliseconds
 * since 1970.
 */
export interface ClockReading {
  readonly sent: number;
  readonly remote: number;
  readonly received: number;
}

/** State of the job queue. */
export interface JobFacts {
  readonly workers: number;
  readonly due: number;
  readonly oldestDueSeconds: number;
  readonly failed: number;
}
/** State of the database, as read from it. */
export interface DatabaseFacts {
  readonly version: string;
  readonly isEmbedded: boolean;
  readonly isReadOnly: boolean;
  readonly connections: { readonly used: number; readonly max: number };
  readonly clock: ClockReading;
  readonly migrations: {
    readonly applied: number;
    readonly pending: readonly string[];
    readonly edited: readonly string[];
    readonly failed: readonly string[];
    readonly unknown: readonly string[];
  };
  /** Null if the job tables do not exist yet. */
  readonly jobs: JobFacts | null;
  /** IDs of accounts whose credentials cannot be decrypted with the configured keys. */
  readonly unreadableCredentials: readonly string[];
}
/** State of Redis. */
export interface RedisFacts {
  readonly clock: ClockReading;
}

/** The facts about each dependency; a string is the error that prevented reading them. */
export interface DiagnosticFacts {
  readonly database: DatabaseFacts | string;
  /** Null if Redis is not configured. */
  readonly redis: RedisFacts | string | null;
}
