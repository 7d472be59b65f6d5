import type { Post } from '../../domain/posts/post.js';
import { STORED_STATES } from '../../domain/posts/states.js';
import type { DueSeries, DueSeriesStore } from '../../services/posts/series/series-ports.js';
import type { Database } from '../database.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { ALL_FIELDS, toSelectList } from '../posts/post-select-list.js';
import { readPostRows } from '../posts/related-rows.js';
import type { Statement } from '../sql.js';

type Circumstances = Omit<DueSeries, 'series'>;
type DueSeriesRow = PostRow & { circumstances: Circumstances };

const { columns, join } = toSelectList(ALL_FIELDS);
const EXTEND_AT = 'COALESCE(p.extend_at, p.scheduled_at)';

/** The stored state is a literal, so that the planner can use the partial index post_series_idx. */
const DUE_SERIES = `
SELECT ${columns}, json_build_object('timeZone', w.time_zone, 'requiresApproval', w.requires_approval, 'isLocked', w.locked,
       'plan', (SELECT o.plan FROM membership m JOIN app_user o ON o.id = m.user_id WHERE m.workspace_id = w.id AND m.role = 'owner')) AS circumstances
  FROM post p ${join}
 WHERE p.stored_state = ${STORED_STATES.recurring.number} AND p.deleted_at IS NULL AND ${EXTEND_AT} <= $1
 ORDER BY ${EXTEND_AT} LIMIT $2`;

/** The statement that finds series whose next occurrences are due. */
export const dueSeriesStatement = (now: Date, max: number): Statement => ({
  text: DUE_SERIES,
  values: [now, max],
});

/** Finds series that need occurrences. */
export const createDueSeriesStore = (database: Database): DueSeriesStore => ({
  async due(now, max) {
    const rows = await readPostRows<DueSeriesRow>(
      database,
      dueSeriesStatement(now, max),
      ALL_FIELDS,
    );
    return rows.map(({ circumstances, ...row }) => ({
      ...circumstances,
      series: toPostView(row as PostRow) as Post,
    }));
  },
});
