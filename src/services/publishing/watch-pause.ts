import type { Log } from '../log-port.js';
import type { PauseWatch, PublishingStatus } from './pause-ports.js';

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
  readonly watch: PauseWatch;
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
