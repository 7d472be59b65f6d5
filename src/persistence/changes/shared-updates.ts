import type pg from 'pg';
import type { Change } from '../../domain/changes/change.js';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { shareStatements } from '../connections/statement-sharing.js';
import { POST_COLUMNS } from '../post-columns.js';
import { searchRow } from '../posts/search-index.js';
import { toCommitError } from '../sql.js';
import { writeSinglePost, type UpdateWrite } from './post-writer.js';
import { updateTogether, type PostUpdate, type UpdateShape } from './update-together.js';

/** Maximum number of updates in a statement: it bounds how long their rows are locked. */
const MAX_UPDATES = 32;
/** Clients choose the fields that they change. Updates of further shapes run alone. */
const MAX_SHAPES = 100;

const shapeKeyOf = ({ changed }: UpdateWrite): string => changed.toSorted().join();

/** The search rows of posts whose text or title changes. */
const SEARCH_ROWS = {
  more: {
    types: 'normal text, tokens text[]',
    valuesOf: ({ write: { after } }: PostUpdate) => searchRow(after.workspaceId, after),
  },
  effects: {
    search_row:
      'UPDATE post_search s SET normal = r.normal, tokens = r.tokens FROM read r WHERE s.post_id = r."postId"',
  },
};

const shapeOf = ({ changed }: UpdateWrite): UpdateShape<PostUpdate> => ({
  columns: POST_COLUMNS.filter(({ field }) => changed.includes(field)),
  ...(changed.includes('text') || changed.includes('title') ? SEARCH_ROWS : { effects: {} }),
});

async function saveAlone(pool: pg.Pool, { change, write }: PostUpdate): Promise<true> {
  await writeSinglePost(changeConnectionsOf(pool), change, write).catch((error: unknown) => {
    throw toCommitError(error);
  });
  return true;
}

type SaveUpdate = (update: PostUpdate) => Promise<true>;
const savesByPool = new WeakMap<pg.Pool, Map<string, SaveUpdate>>();

function createSave(pool: pg.Pool, write: UpdateWrite): SaveUpdate {
  const shape = shapeOf(write);
  return shareStatements<PostUpdate, true>({
    maxCalls: MAX_UPDATES,
    groupOf: ({ change }) => change.workspaceId,
    together: (updates) => updateTogether(pool, shape, updates),
    alone: (update) => saveAlone(pool, update),
  });
}

/**
 * Saves the only post of a change, in one statement with the updates of the same fields that are
 * saved at the same time.
 * @throws RollbackError as `writePost`
 */
export async function saveUpdate(pool: pg.Pool, change: Change, write: UpdateWrite): Promise<void> {
  const update = { change, write };
  const saves = savesByPool.get(pool) ?? new Map<string, SaveUpdate>();
  savesByPool.set(pool, saves);
  const key = shapeKeyOf(write);
  const known = saves.get(key);
  if (write.restores || write.isDeleted || (!known && saves.size >= MAX_SHAPES)) {
    await saveAlone(pool, update);
    return;
  }
  const save = known ?? createSave(pool, write);
  saves.set(key, save);
  await save(update);
}
