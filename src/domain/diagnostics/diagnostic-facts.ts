import type { PublishingStatus } from '../publishing/publication.js';

/** Result of one check, and what to do if it is not ok. `unknown`: it could not be made. */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'unknown' | 'fail';
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
  /** Time since the oldest due or running job became due; 0 if there is none. */
  readonly oldestDueSeconds: number;
  readonly failed: number;
}
/** Names of the migrations by status, and the number of applied ones. */
export interface MigrationFacts {
  readonly applied: number;
  readonly pending: readonly string[];
  readonly edited: readonly string[];
  readonly failed: readonly string[];
  readonly unknown: readonly string[];
  readonly incompatible: readonly string[];
}

/** Why a database accepts no changes: it is a standby, or a setting makes it read-only. */
export type ReadOnlyReason = 'standby' | 'setting';

/** State of the database, as read from it; a string is the reason why a part could not be read. */
export interface DatabaseFacts {
  readonly version: string;
  readonly isEmbedded: boolean;
  /** Null if it accepts changes. */
  readonly readOnly: ReadOnlyReason | null;
  readonly connections: { readonly used: number; readonly max: number };
  readonly clock: ClockReading;
  readonly migrations: MigrationFacts | string;
  readonly jobs: JobFacts | string;
  readonly publishing: PublishingStatus | string;
  /**
   * IDs of accounts and webhooks whose credentials and secrets cannot be decrypted with the
   * configured keys.
   */
  readonly unreadableCredentials: readonly string[] | string;
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
