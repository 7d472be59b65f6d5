/**
 * `edited`: the file changed after it was applied. `unknown`: not part of this build, but of a
 * later release of the same major version, whose migrations only add. `incompatible`: of a later
 * major version, whose schema this build cannot use.
 */
export type MigrationStatus =
  'applied' | 'pending' | 'edited' | 'failed' | 'unknown' | 'incompatible';

/** State of one migration, as `migrate --status --json` prints it. */
export interface MigrationState {
  readonly name: string;
  readonly status: MigrationStatus;
  readonly appliedAt: Date | null;
}
