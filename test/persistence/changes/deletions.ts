import type { Viewer } from '../../../src/domain/access/viewer.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { openDatabase } from '../../../src/persistence/database.js';
import { createPostStore } from '../../../src/persistence/posts/post-store.js';
import type { DeleteOutcome, DeleteRequest } from '../../../src/services/posts/delete-posts.js';
import type { PostStore } from '../../../src/persistence/posts/post-store.js';
import { createPosts } from '../../../src/services/posts/posts.js';
import type { TestServices } from '../../fixtures/services.js';
import type { Statement } from '../../fixtures/statements.js';

/** A request that deletes posts. */
export interface JointDeletion {
  readonly by: Viewer;
  readonly posts: readonly Pick<Post, 'id'>[];
  readonly policy?: DeleteRequest['policy'];
  /** The time of the request; by default that of the services. */
  readonly at?: Date;
  /** Of the process that receives the request; by default that of the services. */
  readonly store?: PostStore;
}

/** Waits until it has been called `count` times, and then for `work`. */
function createBarrier(count: number, work: () => Promise<unknown>): () => Promise<unknown> {
  let arrived = 0;
  let start: (after: Promise<unknown>) => void = () => undefined;
  const started = new Promise<unknown>((resolve) => {
    start = resolve;
  });
  return () => {
    arrived += 1;
    if (arrived === count) start(work());
    return started;
  };
}

/**
 * Makes deletions which are saved at the same time, when all of them have read their posts.
 * `beforeSave` runs between both. Each has at least one post that it deletes.
 */
export function deleteJointly(
  { dependencies }: TestServices,
  requests: readonly JointDeletion[],
  beforeSave: () => Promise<unknown> = () => Promise.resolve(),
): Promise<PromiseSettledResult<DeleteOutcome>[]> {
  const allHaveRead = createBarrier(requests.length, beforeSave);
  const { clock, store: ownStore } = dependencies;
  return Promise.allSettled(
    requests.map(({ by, posts, policy = 'skip_refused', at, store = ownStore }) =>
      createPosts({
        ...dependencies,
        clock: at ? { now: () => at } : clock,
        store: {
          ...store,
          async save(change, result) {
            await allHaveRead();
            return store.save(change, result);
          },
        },
      }).delete(by, { ids: posts.map(({ id }) => id), policy, onNetwork: false, dryRun: false }),
    ),
  );
}

/** What became of each post: `deleted` or the code of the refusal; else, the message of the error. */
export function resultsOf(deletion: PromiseSettledResult<DeleteOutcome>): string[] {
  if (deletion.status === 'rejected') return [(deletion.reason as Error).message];
  const { value } = deletion;
  return value.kind === 'done'
    ? value.results.map(({ deleted, code }) => (deleted ? 'deleted' : code!))
    : value.refusals.map(({ code }) => code);
}

/** The statements that delete posts. */
export const deletionsIn = (statements: readonly Statement[]): Statement[] =>
  statements.filter(({ text }) => text.includes('SET deleted_at'));

/** When each post was deleted; null for those that exist. */
export async function deletionTimes(
  { sql }: TestServices,
  posts: readonly Post[],
): Promise<(Date | null)[]> {
  const rows = await sql<{ id: number; at: Date | null }>(
    'SELECT id::int, deleted_at AS at FROM post WHERE id = ANY($1)',
    posts.map(({ databaseId }) => databaseId),
  );
  const times = new Map(rows.map(({ id, at }) => [id, at]));
  return posts.map(({ databaseId }) => times.get(databaseId)!);
}

/** The versions of the events `post.deleted` of each post. */
export async function deletionEvents(
  { sql }: TestServices,
  posts: readonly Post[],
): Promise<number[][]> {
  const rows = await sql<{ id: number; version: number }>(
    "SELECT post_id::int AS id, version FROM event WHERE type = 'post.deleted' AND post_id = ANY($1)",
    posts.map(({ databaseId }) => databaseId),
  );
  return posts.map(({ databaseId }) =>
    rows.filter(({ id }) => id === databaseId).map(({ version }) => version),
  );
}

const OTHER_PROCESS = 'other-process';

/** A store of its own on the database of the services, as another process has. */
export async function anotherProcess({ database }: TestServices) {
  const url = new URL(database.url);
  url.searchParams.set('application_name', OTHER_PROCESS);
  const other = await openDatabase({
    connectionString: url.href,
    poolSize: 10,
    log: { info() {}, warn() {} },
  });
  return { store: createPostStore(other), close: other.close };
}

/** How many connections the stores of `anotherProcess` have. */
export async function countOtherConnections({ sql }: TestServices): Promise<number> {
  const rows = await sql(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    OTHER_PROCESS,
  );
  return rows.length;
}
