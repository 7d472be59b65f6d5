import type { Viewer } from '../../domain/access/viewer.js';
import { toActor } from '../../domain/access/viewer.js';
import { labelChanged } from '../../domain/events/events-of.js';
import { labelKey, type Label } from '../../domain/posts/post-content.js';
import type { Database } from '../database.js';
import { announceEvents, insertEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';
import { isVisibleLabel } from './visible-records.js';

/** Whether every member can see the label: the ID of no user is empty. */
const IS_SHARED = `SELECT ${isVisibleLabel("''")} AS "isShared" FROM label l WHERE l.id = $1`;
const IS_TAKEN =
  'SELECT 1 FROM label WHERE workspace_id = $1 AND name_key = $2 AND id <> $3 LIMIT 1';
const UPDATE =
  'UPDATE label SET name = $3, name_key = $4, color = $5 WHERE id = $1 AND workspace_id = $2 RETURNING id';
const DELETE =
  'DELETE FROM label l WHERE l.id = $1 AND l.workspace_id = $2 AND NOT EXISTS (SELECT FROM post_label pl JOIN post p ON p.id = pl.post_id WHERE pl.label_id = l.id AND p.deleted_at IS NULL) RETURNING id';

/** When a label is changed, and by whom. */
interface LabelOrigin {
  readonly viewer: Viewer;
  readonly at: Date;
}

const UNIQUE_VIOLATION = '23505';

/**
 * Changes labels, each with the event that tells the members who can see it. SQL: events are written
 * in the transaction of the change.
 */
export function createLabelStore(database: Database) {
  /** Changes a label and writes its event. False if the statement changed none. */
  async function change(
    { viewer, at }: LabelOrigin,
    id: string,
    statement: (sql: Sql) => Promise<readonly unknown[]>,
  ): Promise<boolean> {
    const { workspace, user } = viewer;
    const isChanged = await database.transaction(async (sql) => {
      const [label] = await sql<{ isShared: boolean }>(IS_SHARED, [id]);
      if ((await statement(sql)).length === 0) return false;
      const events = [labelChanged(id, label?.isShared ? null : user.id)];
      const origin = { workspaceId: workspace.id, actor: toActor(viewer), at };
      const parameters = new Parameters();
      await sql(insertEvents([{ change: origin, events }], parameters), parameters.values);
      return true;
    });
    if (isChanged) announceEvents(database, workspace.id);
    return isChanged;
  }

  return {
    /** Whether another label of the workspace has the name, in any case. */
    async isTaken(workspaceId: string, { id, name }: Label): Promise<boolean> {
      return (await database.read(IS_TAKEN, [workspaceId, labelKey(name), id])).length > 0;
    },
    /** False if the label does not exist any more, or another one has got its name. */
    async update(origin: LabelOrigin, { id, name, color }: Label): Promise<boolean> {
      const values = [id, origin.viewer.workspace.id, name, labelKey(name), color];
      try {
        return await change(origin, id, (sql) => sql(UPDATE, values));
      } catch (error) {
        if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },
    /** False if a post has the label, or if it does not exist. */
    delete: (origin: LabelOrigin, id: string): Promise<boolean> =>
      change(origin, id, (sql) => sql(DELETE, [id, origin.viewer.workspace.id])),
  };
}
export type LabelStore = ReturnType<typeof createLabelStore>;
