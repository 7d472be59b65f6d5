import { dataInconsistencies } from '../fixtures/data-inconsistencies.js';
import { randomOf, type TestEnvironment } from './environment.js';
import { mutation, type GatewayResponse } from './gateway-client.js';
import { countEach, unexpectedCodes, UNAVAILABLE, V1_ERROR_CODES } from './outcomes.js';

const CLIENTS = 16;
const POSTS = 12;
/** Each client deletes this many of the posts, in random order: most sets overlap. */
const POSTS_PER_CLIENT = 4;
/** GraphQL's policies; v1 has only the first one (D31). */
const POLICIES = { skip: 'SKIP_REFUSED', whole: 'ALL_OR_NOTHING' } as const;
const EXPECTED_CODES = new Set(['all', 'some', 'none', UNAVAILABLE]);

/** Result of one client. */
interface DeletionResult {
  readonly ids: readonly string[];
  readonly variant: 'v1' | keyof typeof POLICIES;
  /** IDs reported as deleted; null if the outcome is unknown. */
  readonly deletedIds: readonly string[] | null;
  readonly code: string;
}

const shareOf = (deletedIds: readonly string[], ids: readonly string[]): string =>
  deletedIds.length === ids.length ? 'all' : deletedIds.length > 0 ? 'some' : 'none';

function readResult(
  { status, body }: GatewayResponse,
  { ids, variant }: Pick<DeletionResult, 'ids' | 'variant'>,
): DeletionResult {
  const deletedIds: readonly string[] | undefined =
    variant === 'v1' ? body.deleted_ids : body.data?.deletePosts?.deletedIds;
  if (deletedIds) return { ids, variant, deletedIds, code: shareOf(deletedIds, ids) };
  if (status === 422) return { ids, variant, deletedIds: [], code: 'none' };
  const code = V1_ERROR_CODES[status] ?? `${status} ${JSON.stringify(body)}`;
  return { ids, variant, deletedIds: null, code };
}

/** One client deletes a random set of the posts, through a random API. */
async function deleteSome(
  { gatewayClient, members }: TestEnvironment,
  client: number,
  posts: readonly string[],
): Promise<DeletionResult> {
  const ids = posts.toSorted(() => Math.random() - 0.5).slice(0, POSTS_PER_CLIENT);
  const [as, variant] = [randomOf(members), randomOf(['v1', 'skip', 'whole'] as const)];
  const request =
    variant === 'v1'
      ? {
          as,
          method: 'DELETE',
          path: `/v1/posts?${ids.map((id) => `post_ids[]=${id}`).join('&')}`,
        }
      : mutation(as, 'deletePosts', { ids, policy: POLICIES[variant] }, 'deletedIds');
  return readResult(await gatewayClient.send(client, request), { ids, variant });
}

/** Compares the results of one round with the posts that are deleted. */
function roundViolations(
  posts: readonly string[],
  results: readonly DeletionResult[],
  deleted: ReadonlySet<string>,
): string[] {
  const unknownIds = new Set(
    results.filter(({ deletedIds }) => deletedIds === null).flatMap(({ ids }) => ids),
  );
  const timesReported = (id: string): number =>
    results.filter(({ deletedIds }) => deletedIds?.includes(id)).length;
  const isConsistent = (id: string): boolean =>
    deleted.has(id)
      ? timesReported(id) === 1 || (timesReported(id) === 0 && unknownIds.has(id))
      : timesReported(id) === 0;
  const mustBeDeleted = new Set(
    results
      .filter(({ variant, deletedIds }) => variant !== 'whole' && deletedIds !== null)
      .flatMap(({ ids }) => ids),
  );
  return [
    ...posts
      .filter((id) => !isConsistent(id))
      .map(
        (id) =>
          `post ${id} was reported as deleted ${timesReported(id)} times; deleted: ${deleted.has(id)}`,
      ),
    ...results
      .filter(({ variant, code }) => variant === 'whole' && code === 'some')
      .map(
        ({ deletedIds }) =>
          `an all-or-nothing deletion deleted ${deletedIds?.length} of ${POSTS_PER_CLIENT} posts`,
      ),
    ...[...mustBeDeleted]
      .filter((id) => !deleted.has(id))
      .map(
        (id) => `post ${id} is not deleted, although a deletion that skips refused posts succeeded`,
      ),
  ];
}

/**
 * Lets 16 clients delete overlapping sets of the same twelve posts concurrently, through both APIs
 * of two gateways and with both policies: each post is reported as deleted once, all-or-nothing
 * deletions are complete or have no effect (D31), and the deleted posts are those that were
 * reported.
 * @returns the violations and a summary of the run
 */
export async function contendedDeletions(
  environment: TestEnvironment,
  rounds: number,
): Promise<{ violations: string[]; summary: string }> {
  const {
    gateways: { db, records },
    members: [owner],
  } = environment;
  const [violations, codes]: [string[], string[]] = [[], []];
  let deletedCount = 0;
  for (let round = 0; round < rounds; round += 1) {
    const posts: string[] = [];
    for (let count = 0; count < POSTS; count += 1)
      posts.push((await records.aPost({ by: owner, text: 'to delete' })).id);
    const results = await Promise.all(
      Array.from({ length: CLIENTS }, (_none, client) => deleteSome(environment, client, posts)),
    );
    codes.push(...results.map(({ code }) => code));
    const { rows } = await db.pool.query<{ id: string }>(
      'SELECT doc_id AS id FROM post WHERE doc_id = ANY($1) AND deleted_at IS NOT NULL',
      [posts],
    );
    const deleted = new Set(rows.map(({ id }) => id));
    deletedCount += deleted.size;
    violations.push(
      ...roundViolations(posts, results, deleted).map((line) => `round ${round}: ${line}`),
    );
  }
  return {
    violations: [
      ...violations,
      ...unexpectedCodes(codes, EXPECTED_CODES),
      ...(await dataInconsistencies(db, [owner])),
    ],
    summary: `${rounds} rounds of ${CLIENTS} clients that delete ${POSTS_PER_CLIENT} of ${POSTS} posts: ${deletedCount} deleted; deleted of each request: ${countEach(codes)}`,
  };
}
