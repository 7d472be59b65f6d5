/**
 * `edited`: the file changed after it was applied. `unknown`: not part of this build, which is
 * older than the database.
 */
export type MigrationStatus = 'applied' | 'pending' | 'edited' | 'failed' | 'unknown';

/** State of one migration, as `migrate --status --json` prints it. */
export interface MigrationState {
  readonly name: string;
  readonly status: MigrationStatus;
  readonly appliedAt: Date | null;
}
