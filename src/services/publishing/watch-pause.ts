import type { Log } from '../../domain/log.js';
import type { PublishingStatus } from '../../domain/publishing/publication.js';
import type { PublishingPauses } from '../../persistence/publishing/publishing-pauses.js';

/** Pauses and resumes the publication of posts, in all processes. */
export type PublishingControl = Pick<PublishingPauses, 'status' | 'pause' | 'resume'>;

/** Why publication is paused, and what to do, for operators. */
export const describePause = ({
  pausedAt,
  backupAt,
}: Pick<PublishingStatus, 'pausedAt' | 'backupAt'>): string =>
  `Publication is paused since ${pausedAt!.toISOString()}` +
  (backupAt ? `, because a backup of ${backupAt.toISOString()} was restored. ` : '. ') +
  'To continue, run `publishing resume`.';

/** Creates the task that notices restored dumps, and logs when publication pauses and resumes. */
export function createPauseWatch({
  watch,
  log,
}: {
  readonly watch: Pick<PublishingPauses, 'check'>;
  readonly log: Log;
}): () => Promise<void> {
  let isPaused = false;
  return async () => {
    const status = await watch.check();
    const wasPaused = isPaused;
    isPaused = status.pausedAt !== null;
    if (isPaused && !wasPaused) log.warn(describePause(status));
    if (!isPaused && wasPaused) log.warn('Publication is resumed.');
  };
}
