import type { Ids } from '../services/ids.js';
import type { DemoDates } from './demo-dates.js';

/** Sources of dates and IDs for the demo's records. */
export interface DemoContext {
  readonly dates: DemoDates;
  readonly ids: Ids;
  /** Reserved database IDs of posts. */
  readonly databaseIds: Iterator<number>;
}
