import { isPrefixedId } from '../../domain/posts/post-id.js';
import { labelKey, type Label } from '../../domain/posts/post-content.js';
import type {
  Slice,
  SlicePosition,
  WorkspaceRecordStore,
} from '../../services/workspaces/workspace-ports.js';
import type { Database } from '../database.js';
import { toSlicePage } from '../keyset-pagination.js';
import { Parameters } from '../sql.js';
import { isVisibleLabel } from './visible-records.js';

type LabelReader = Pick<WorkspaceRecordStore, 'labels' | 'countLabels' | 'labelsById'>;

/** The labels of $1 that user $2 can see. */
const VISIBLE_LABELS = `FROM label l WHERE l.workspace_id = $1 AND ${isVisibleLabel('$2')}`;
const SELECT_LABELS = `SELECT l.id, l.name, l.color ${VISIBLE_LABELS}`;

/** One page, by name and then by ID; one row more than the limit. */
function pageStatement(scope: readonly [string, string], slice: Slice) {
  const { limit, after, before, fromEnd } = slice;
  const p = new Parameters();
  for (const value of scope) p.add(value);
  const bound = (operator: '>' | '<', { sortValue, id }: SlicePosition): string =>
    ` AND (l.name_key, l.id) ${operator} (${p.add(labelKey(sortValue), 'text')}, ${p.add(id, 'text')})`;
  const bounds = (after ? bound('>', after) : '') + (before ? bound('<', before) : '');
  const direction = fromEnd ? 'DESC' : 'ASC';
  return {
    text: `${SELECT_LABELS}${bounds} ORDER BY l.name_key ${direction}, l.id ${direction} LIMIT ${p.add(limit + 1, 'int')}`,
    values: p.values,
  };
}

/** Reads the labels that the viewer can see. */
export function createLabelReader(database: Database): LabelReader {
  return {
    async labels({ workspace, user }, slice) {
      const { text, values } = pageStatement([workspace.id, user.id], slice);
      return toSlicePage(await database.scan<Label>(text, values), slice, (label) => label);
    },
    async countLabels({ workspace, user }) {
      const rows = await database.scan<{ count: number }>(
        `SELECT count(*)::int AS count ${VISIBLE_LABELS}`,
        [workspace.id, user.id],
      );
      return rows[0]!.count;
    },
    async labelsById({ workspace, user }, ids) {
      const rows = await database.scan<Label>(`${SELECT_LABELS} AND l.id = ANY($3::text[])`, [
        workspace.id,
        user.id,
        ids.filter((id) => isPrefixedId('lbl', id)),
      ]);
      return new Map(rows.map((label) => [label.id, label]));
    },
  };
}
