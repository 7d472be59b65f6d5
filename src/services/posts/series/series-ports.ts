import type { Plan } from '../../../domain/enums.js';
import type { Post } from '../../../domain/posts/post.js';

/** A series whose next occurrences are due, and what they depend on. */
export interface DueSeries {
  readonly series: Post;
  /** IANA time zone of the workspace. */
  readonly timeZone: string;
  readonly requiresApproval: boolean;
  readonly isLocked: boolean;
  /** The plan of the workspace's owner. */
  readonly plan: Plan;
}

/** Finds series that need occurrences (D60). */
export interface DueSeriesStore {
  /**
   * At most `max` series, those that waited longest first. Costs almost nothing if there is none.
   */
  due(now: Date, max: number): Promise<DueSeries[]>;
}
