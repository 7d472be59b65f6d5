import { isOnNetwork } from '../../src/domain/rules/removal-rules.js';
import type { TestGateway } from '../fixtures/gateway.js';
import { refused, type Api, type Outcome } from '../parity/api.js';
import { graphqlApi } from '../parity/graphql-api.js';
import { restApi } from '../parity/rest-api.js';
import type { DemoCaller, DemoPost } from './matrix-gateway.js';
import type { Rights, RightsReader } from './rights.js';
import type { CellCheck } from './run-cells.js';

/** One removal of a post from its network, alone or with its deletion through one of the APIs. */
export interface RemovalCell {
  readonly caller: DemoCaller;
  readonly post: DemoPost;
  readonly way: 'unpublish' | 'delete in GraphQL' | 'delete in REST v1';
}

/** What a call does: a job removes the post, the post is deleted at once, or nothing changes. */
type Effect = 'job' | 'deletion' | 'none';

/** What the fields of a post say about a removal. */
interface Expectation {
  /** Code and message in the words of v1; null if the removal is accepted. */
  readonly refusal: { readonly code: string; readonly text: string } | null;
  readonly effect: Effect;
}

interface RemovalForecast {
  readonly rights: Rights;
  /** The dry runs, by their names. */
  readonly dryRuns: readonly (readonly [name: string, outcome: Outcome])[];
}

const WAYS = ['unpublish', 'delete in GraphQL', 'delete in REST v1'] as const;
const UNPUBLISH = `mutation Unpublish($input: UnpublishPostsInput!) { unpublishPosts(input: $input) {
  results { id done code message } userErrors { code message }
} }`;

/** Every post with every key and way; with a key that cannot change posts, each post once. */
export const removalCellsOf = (callers: readonly DemoCaller[]): RemovalCell[] =>
  callers.flatMap((caller) =>
    caller.posts.flatMap((post, index) =>
      (caller.mayChangePosts ? WAYS : [WAYS[index % WAYS.length]!]).map((way) => ({
        caller,
        post,
        way,
      })),
    ),
  );

export const nameOfRemovalCell = ({ caller, post, way }: RemovalCell): string =>
  `${caller.workspaceName}, ${caller.keyName}, ${way}, post ${post.databaseId} (${post.network} ${post.type}, ${post.storedState})`;

const refuse = ({ post }: RemovalCell, code: string, message: string): Expectation => {
  const outcome = refused(code, [`${post.id}: ${message}`]);
  return { refusal: { code, text: textOf(outcome) }, effect: 'none' };
};
const textOf = (outcome: Outcome): string =>
  outcome.kind === 'ok' ? 'accepted' : outcome.messages.join(' ');

/** What `deletability` and the action `UNPUBLISH` say. */
function expectationOf(cell: RemovalCell, rights: Rights): Expectation {
  if (rights.kind === 'unreadable') return refuse(cell, rights.code, rights.message);
  const { deletability, unpublish } = rights;
  const isRemoved = cell.way === 'unpublish' || isOnNetwork(cell.post.storedState);
  if (cell.way !== 'unpublish' && deletability.code !== null)
    return refuse(cell, deletability.code, deletability.reason!);
  if (isRemoved && unpublish.code !== null) return refuse(cell, unpublish.code, unpublish.reason!);
  if (!isRemoved) return { refusal: null, effect: 'deletion' };
  return { refusal: null, effect: unpublish.allowed ? 'job' : 'none' };
}

/** Removes one post with `unpublishPosts`. The result has the form of a deletion. */
const createUnpublish =
  ({ graphql }: TestGateway) =>
  async ({ viewer }: DemoCaller, id: string, dryRun: boolean): Promise<Outcome> => {
    const input = { ids: [id], dryRun };
    const { body } = await graphql(UNPUBLISH, { input }, { as: viewer });
    if (body.errors) return refused(body.errors[0].extensions.code, [body.errors[0].message]);
    const [result] = body.data.unpublishPosts.results;
    expect(result.done).toBe(result.code === null);
    expect(body.data.unpublishPosts.userErrors.map(({ code }: { code: string }) => code)).toEqual(
      result.done ? [] : [result.code],
    );
    return result.done
      ? { kind: 'ok', body: result }
      : refused(result.code, [`${id}: ${result.message}`]);
  };

/**
 * How a removal is checked: `deletability` and `actions`, the dry runs and the real call. No job
 * runs, so that networks keep their posts.
 */
export function removalCheck(
  gateway: TestGateway,
  readRights: RightsReader,
): CellCheck<RemovalCell, RemovalForecast, Outcome> {
  const unpublish = createUnpublish(gateway);
  const [graphql, rest] = [graphqlApi(gateway), restApi(gateway)];
  const remove = (api: Api, { caller, post }: RemovalCell, dryRun: boolean): Promise<Outcome> =>
    api.remove(caller.viewer, [post.id], { onNetwork: true, dryRun });
  const send = (cell: RemovalCell, dryRun: boolean): Promise<Outcome> => {
    if (cell.way === 'unpublish') return unpublish(cell.caller, cell.post.id, dryRun);
    return remove(cell.way === 'delete in GraphQL' ? graphql : rest, cell, dryRun);
  };

  return {
    nameOf: nameOfRemovalCell,
    forecast: async (cell) => ({
      rights: await readRights(cell.caller, cell.post.id),
      dryRuns:
        cell.way === 'unpublish'
          ? [['dry run', await send(cell, true)]]
          : [
              ['dry run of GraphQL', await remove(graphql, cell, true)],
              ['dry run of REST v1', await remove(rest, cell, true)],
            ],
    }),
    isRefused: ({ dryRuns }) => dryRuns.every(([, { kind }]) => kind === 'refused'),
    change: (cell) => send(cell, false),
    compare(cell, { rights, dryRuns }, { result, changes }) {
      const calls = [...dryRuns, ['real call', result]] as const;
      if (!cell.caller.mayChangePosts)
        return calls
          .filter(([, { kind }]) => kind === 'ok')
          .map(([name]) => `${name}: a key without the rights may remove the post`);
      const { refusal, effect } = expectationOf(cell, rights);
      const expected = refusal?.text ?? 'accepted';
      const problems = calls
        .filter(([, outcome]) => textOf(outcome) !== expected)
        .map(([name, outcome]) => `the post: ${expected}; ${name}: ${textOf(outcome)}`);
      if (cell.way === 'unpublish' && result.kind === 'refused' && result.code !== refusal?.code)
        problems.push(`the post: ${refusal?.code}; real call: ${result.code}`);
      const isGone = changes.some(
        ({ table, kind, id }) =>
          table === 'post' && kind === 'delete' && id === cell.post.databaseId,
      );
      const hasJob = changes.some(({ table }) => table === 'post_removal');
      if (isGone !== (effect === 'deletion') || hasJob !== (effect !== 'none'))
        problems.push(`${effect} expected; the real call changed ${JSON.stringify(changes)}`);
      return problems;
    },
  };
}
