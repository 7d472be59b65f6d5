import { inconsistencies } from '../fixtures/inconsistencies.js';
import { amiss, mutation, REFUSALS, tally, UNCLEAR, type Answer } from './asking.js';
import { anyOf, type Stage } from './stage.js';

const CLIENTS = 16;
const POSTS = 12;
/** Of so many each client wants to delete so many, in an order of its own: most sets meet others. */
const AT_ONCE = 4;
/** GraphQL's policies; v1 has that of the first alone (D31). */
const POLICIES = { skip: 'SKIP_REFUSED', whole: 'ALL_OR_NOTHING' } as const;
const EXPLAINED = new Set(['all', 'some', 'none', UNCLEAR]);

/** What one client was told: which posts it has deleted; null where that is unclear. */
interface Told {
  readonly ids: readonly string[];
  readonly way: 'v1' | keyof typeof POLICIES;
  readonly gone: readonly string[] | null;
  readonly code: string;
}

const share = (gone: readonly string[], ids: readonly string[]): string =>
  gone.length === ids.length ? 'all' : gone.length > 0 ? 'some' : 'none';

function read({ status, body }: Answer, { ids, way }: Pick<Told, 'ids' | 'way'>): Told {
  const gone: readonly string[] | undefined =
    way === 'v1' ? body.deleted_ids : body.data?.deletePosts?.deletedIds;
  if (gone) return { ids, way, gone, code: share(gone, ids) };
  if (status === 422) return { ids, way, gone: [], code: 'none' };
  return { ids, way, gone: null, code: REFUSALS[status] ?? `${status} ${JSON.stringify(body)}` };
}

/**
 * Lets 16 clients delete overlapping sets of the same twelve posts at once, through both doors of two gateways and under
 * both policies: each post is told to be deleted once, what is all or nothing goes whole or not at all (D31), and what is
 * gone is what was told.
 * @returns what is broken, and the figures
 */
export async function contendedDeletions(
  { gateways: { db, records }, asker, members }: Stage,
  rounds: number,
): Promise<{ broken: string[]; figures: string }> {
  const [owner] = members;
  const [broken, codes]: [string[], string[]] = [[], []];
  let deleted = 0;
  for (let round = 0; round < rounds; round += 1) {
    const posts: string[] = [];
    for (let count = 0; count < POSTS; count += 1)
      posts.push((await records.aPost({ by: owner, text: 'doomed' })).id);
    const told = await Promise.all(
      Array.from({ length: CLIENTS }, async (_none, client): Promise<Told> => {
        const ids = posts.toSorted(() => Math.random() - 0.5).slice(0, AT_ONCE);
        const [as, way] = [anyOf(members), anyOf(['v1', 'skip', 'whole'] as const)];
        const request =
          way === 'v1'
            ? {
                as,
                method: 'DELETE',
                path: `/v1/posts?${ids.map((id) => `post_ids[]=${id}`).join('&')}`,
              }
            : mutation(as, 'deletePosts', { ids, policy: POLICIES[way] }, 'deletedIds');
        return read(await asker.ask(client, request), { ids, way });
      }),
    );
    codes.push(...told.map(({ code }) => code));

    const { rows } = await db.pool.query<{ id: string }>(
      'SELECT doc_id AS id FROM post WHERE doc_id = ANY($1) AND deleted_at IS NOT NULL',
      [posts],
    );
    const gone = new Set(rows.map(({ id }) => id));
    deleted += gone.size;
    const unclear = new Set(told.filter((one) => one.gone === null).flatMap(({ ids }) => ids));
    for (const id of posts) {
      const times = told.filter((one) => one.gone?.includes(id)).length;
      const isRight = gone.has(id) ? times === 1 || (times === 0 && unclear.has(id)) : times === 0;
      if (!isRight)
        broken.push(
          `round ${round}: post ${id} was told ${times} times to be deleted; deleted: ${gone.has(id)}`,
        );
    }
    for (const one of told.filter(({ way, code }) => way === 'whole' && code === 'some'))
      broken.push(
        `round ${round}: of all or nothing ${one.gone?.length} of ${AT_ONCE} were deleted`,
      );
    const wanted = new Set(
      told
        .filter(({ way, gone: was }) => way !== 'whole' && was !== null)
        .flatMap(({ ids }) => ids),
    );
    for (const id of wanted)
      if (!gone.has(id))
        broken.push(
          `round ${round}: post ${id} is still there, and clients who skip what is refused were answered`,
        );
  }
  return {
    broken: [...broken, ...amiss(codes, EXPLAINED), ...(await inconsistencies(db.pool, [owner]))],
    figures: `${rounds} rounds of ${CLIENTS} clients who delete ${AT_ONCE} of ${POSTS} posts: ${deleted} deleted; of what each wanted, ${tally(codes)} went`,
  };
}
