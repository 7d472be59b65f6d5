import { changesSearch } from '../../domain/search/searched-fields.js';
import type { IdempotencyResult } from '../../services/posts/post-ports.js';
import type { Database } from '../database.js';
import { POST_COLUMNS } from '../post-columns.js';
import { searchRow } from '../search/search-index.js';
import type { Sql } from '../sql.js';
import { OUTCOMES } from './idempotency-store.js';
import { writeSinglePost } from './post-writer.js';
import { updateTogether, type PostUpdate, type UpdateShape } from './update-together.js';

/** Maximum number of updates in a statement: it bounds how long their rows are locked. */
const MAX_UPDATES = 32;
/** Clients choose the fields that they change. Updates of further shapes run alone. */
const MAX_SHAPES = 100;

/** An update, and the outcome to record with it if its request has an idempotency key. */
export interface RecordedUpdate extends PostUpdate {
  readonly result: IdempotencyResult | undefined;
}

const shapeKeyOf = ({ write: { changed }, result }: RecordedUpdate): string =>
  [...changed.toSorted(), ...(result ? ['with record'] : [])].join();

/** The search rows of posts, if searched fields change. */
const SEARCH_ROWS = {
  more: {
    types: 'normal text, tokens text[]',
    valuesOf: ({ write: { after } }: PostUpdate) => searchRow(after.workspaceId, after),
  },
  effects: {
    search_row:
      'UPDATE post_search s SET normal = r.normal, tokens = r.tokens FROM updates r WHERE s.post_id = r."postId"',
  },
};

function shapeOf({ write: { changed }, result }: RecordedUpdate): UpdateShape<RecordedUpdate> {
  const search = changesSearch(changed) ? SEARCH_ROWS : null;
  return {
    columns: POST_COLUMNS.filter(({ field }) => changed.includes(field)),
    more: [...(search ? [search.more] : []), ...(result ? [OUTCOMES.more] : [])],
    ...(result && { ready: OUTCOMES.ready }),
    effects: search?.effects ?? {},
  };
}

/** False if the update needs a transaction, in which its outcome is recorded. */
async function saveAlone(sql: Sql, { change, write, result }: RecordedUpdate): Promise<boolean> {
  if (result) return false;
  await writeSinglePost(sql, change, write);
  return true;
}

/**
 * Saves the only post of changes, each in one statement with the updates of the same fields that
 * are saved at the same time. False if it was not saved, and has to be saved in a transaction.
 * @throws RollbackError as `writePost`
 */
export function createUpdates({
  change,
  share,
}: Database): (update: RecordedUpdate) => Promise<boolean> {
  const saves = new Map<string, (update: RecordedUpdate) => Promise<boolean>>();

  function createSave(update: RecordedUpdate) {
    const shape = shapeOf(update);
    return share<RecordedUpdate, boolean>({
      maxCalls: MAX_UPDATES,
      groupOf: ({ change: { workspaceId } }) => workspaceId,
      together: (updates) => updateTogether(change, shape, updates),
      alone: (left) => saveAlone(change, left),
    });
  }

  return async (update) => {
    const { write } = update;
    const key = shapeKeyOf(update);
    const known = saves.get(key);
    if (write.restores || write.isDeleted || (!known && saves.size >= MAX_SHAPES))
      return saveAlone(change, update);
    const save = known ?? createSave(update);
    saves.set(key, save);
    return save(update);
  };
}
