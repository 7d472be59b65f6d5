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

/** How far the other clock is ahead of the local one, in milliseconds, and how uncertain that is. */
export const clockOffset = ({
  sent,
  remote,
  received,
}: ClockReading): { readonly ahead: number; readonly uncertainty: number } => ({
  ahead: remote - (sent + received) / 2,
  uncertainty: (received - sent) / 2,
});

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

/**
 * Whether the media storage can take the largest file. `missing`: its folder does not exist yet.
 * `unavailable`: it does not answer, or rejects requests.
 */
export type MediaStorageState = 'ok' | 'full' | 'read_only' | 'missing' | 'unavailable';

/** Where media are kept, and the URL at which clients and networks read them. */
export interface MediaFacts {
  /** The folder in which files arrive. */
  readonly folder: string;
  readonly storage: MediaStorageState;
  /** Null if MEDIA_BASE_URL is not set. `problem`: null if a gateway answers at the URL. */
  readonly baseUrl: { readonly url: string; readonly problem: string | null } | null;
}

/** Where networks send people back who allowed the access of an app. */
export interface RedirectFacts {
  /** The address that the operator registers; null if PUBLIC_URL is not set. */
  readonly url: string | null;
  /** Why no gateway answers there; null if one does, or if there is no address. */
  readonly problem: string | null;
}

/** The facts about each dependency; a string is the error that prevented reading them. */
export interface DiagnosticFacts {
  readonly database: DatabaseFacts | string;
  /** Null if Redis is not configured. */
  readonly redis: RedisFacts | string | null;
  readonly media: MediaFacts;
  /** Null if no app is configured, so that networks send no person back. */
  readonly redirect: RedirectFacts | null;
}
