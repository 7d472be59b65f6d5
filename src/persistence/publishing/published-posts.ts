import { EMPTY_CHANGE, type Change } from '../../domain/changes/change.js';
import { SERVICE } from '../../domain/access/viewer.js';
import type { Database } from '../database.js';
import { updateTogether, type PostUpdate, type UpdateShape } from '../changes/post-updates.js';
import { SCHEDULE_NUMBERS_OF_UPDATES } from '../numbers/numbers-store.js';
import { POST_COLUMNS } from '../posts/post-rows.js';

/** The columns that differ when a post was published, besides its version. */
const COLUMNS = POST_COLUMNS.filter(({ field }) =>
  ['storedState', 'postLink', 'remoteId', 'queuedAt', 'armedAt', 'retryAt'].includes(field),
);
const CHANGED = new Set(COLUMNS.map(({ field }) => field));

/** A change that records nothing but that the service has published a post. */
interface PublishedPost extends PostUpdate {
  readonly attempt: number;
}

const OTHER_FIELDS = (Object.keys(EMPTY_CHANGE) as (keyof typeof EMPTY_CHANGE)[]).filter(
  (field) => field !== 'publications',
);

/** Null for any other change. */
function toPublishedPost(change: Change): PublishedPost | null {
  const [write, ...otherPosts] = change.posts;
  const [publication, ...otherPublications] = change.publications;
  if (write?.kind !== 'update' || !publication || change.actor !== SERVICE) return null;
  const { attempt, result, lease, copyTo } = publication;
  const isPublication =
    result === 'published' && attempt !== null && lease === null && copyTo === undefined;
  const isOnlyThat =
    otherPosts.length === 0 &&
    otherPublications.length === 0 &&
    OTHER_FIELDS.every((field) => change[field].length === 0) &&
    !change.requiredAccountStatus &&
    change.requiredLock === undefined;
  const isPlainUpdate =
    write.slots === null &&
    write.note === undefined &&
    write.changed.length === CHANGED.size &&
    write.changed.every((field) => CHANGED.has(field));
  return isPublication && isOnlyThat && isPlainUpdate ? { change, write, attempt } : null;
}

/** Ends the attempts, records the results, and has the numbers of the posts read. */
const SHAPE: UpdateShape<PublishedPost> = {
  columns: COLUMNS,
  more: [{ types: 'attempt int', valuesOf: ({ attempt }) => ({ attempt }) }],
  condition: 'EXISTS (SELECT FROM publication u WHERE u.post_id = p.id)',
  ready:
    'UPDATE publication_attempt t SET finished_at = r."changedAt", error = NULL FROM read r ' +
    'WHERE t.post_id = r."postId" AND t.number = r.attempt AND t.finished_at IS NULL RETURNING t.post_id',
  effects: {
    results:
      'UPDATE publication u SET result = \'published\', error = NULL, published_at = r."changedAt" ' +
      'FROM updates r WHERE u.post_id = r."postId"',
    numbers: SCHEDULE_NUMBERS_OF_UPDATES,
  },
};

/**
 * Saves changes that record that a post was published, each in one statement with those that are
 * saved at the same time. False if it is another change, or was not saved: it is to be saved like
 * others.
 */
export function createPublishedPosts({
  change: sql,
  share,
}: Database): (change: Change) => Promise<boolean> {
  const save = share<PublishedPost, boolean>({
    together: (posts) => updateTogether(sql, SHAPE, posts),
    alone: async () => false,
  });
  return async (change) => {
    const post = toPublishedPost(change);
    return post !== null && save(post);
  };
}
