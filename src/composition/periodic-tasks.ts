import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { PeriodicTask } from '../jobs/worker.js';
import type { Database } from '../persistence/database.js';
import { createDuePosts, createDueSeriesStore } from '../persistence/publishing/due-posts.js';
import { createPublishingPauses } from '../persistence/publishing/publishing-pauses.js';
import type { Clock } from '../services/clock.js';
import type { Ids } from '../services/ids.js';
import type { PostStore } from '../persistence/posts/post-store.js';
import { createSeriesExtension } from '../services/posts/series/extend-series.js';
import { createPauseWatch } from '../services/publishing/watch-pause.js';

/** How often each worker looks for posts whose time has come (D52). */
const SWEEP_INTERVAL_MS = 1_000;
/** How often each worker finds out whether publication was paused or resumed (D56). */
const PAUSE_CHECK_INTERVAL_MS = 5_000;
/** How often each worker looks for series that need occurrences (D60). */
const SERIES_INTERVAL_MS = 1_000;
/** Series extended at once: few, because due posts wait for them. */
const MAX_SERIES_PER_RUN = 10;
/** Posts handed over in one statement: few enough that their rows are not locked for long. */
const MAX_POSTS_PER_SWEEP = 1_000;

interface TaskDependencies {
  readonly database: Database;
  readonly store: PostStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What every worker does at intervals, apart from its jobs. */
export function composePeriodicTasks(
  { publishPosts }: Config,
  { database, store, ids, clock, log }: TaskDependencies,
): PeriodicTask[] {
  const duePosts = createDuePosts(database);
  const extendSeries = createSeriesExtension({
    dueSeries: createDueSeriesStore(database),
    store,
    ids,
    clock,
  });
  const publishing: PeriodicTask[] = [
    {
      intervalMs: SWEEP_INTERVAL_MS,
      run: () => duePosts.handOver(MAX_POSTS_PER_SWEEP),
      failure: 'Failed to hand over due posts',
    },
    {
      intervalMs: PAUSE_CHECK_INTERVAL_MS,
      run: createPauseWatch({ watch: createPublishingPauses(database), log }),
      failure: 'Failed to check whether publication is paused',
    },
  ];
  return [
    ...(publishPosts ? publishing : []),
    {
      intervalMs: SERIES_INTERVAL_MS,
      run: () => extendSeries(MAX_SERIES_PER_RUN),
      failure: 'Failed to create occurrences of series',
    },
  ];
}
