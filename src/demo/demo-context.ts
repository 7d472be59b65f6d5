import type { Ids } from '../services/clock-and-ids.js';
import type { DemoDates } from './demo-dates.js';

/** Sources of dates and ids for the demo's records. */
export interface DemoContext {
  readonly dates: DemoDates;
  readonly ids: Ids;
  /** Reserved database ids of posts. */
  readonly databaseIds: Iterator<number>;
}
