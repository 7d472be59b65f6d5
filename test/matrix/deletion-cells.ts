import { snake } from '../parity/api.js';
import type { TestGateway } from '../fixtures/gateway.js';
import { createDeletionClient, type DeletionAnswer, type DeletionWay } from './deletion-client.js';
import type { DemoCaller, DemoPost } from './matrix-gateway.js';
import type { Rights, RightsReader } from './rights.js';
import type { CellCheck } from './run-cells.js';
import { drawSample } from './seeded-order.js';
import type { RowChange } from './undo-log.js';

/** One deletion of one or several posts. */
export interface DeletionCell {
  readonly caller: DemoCaller;
  readonly posts: readonly DemoPost[];
  readonly way: DeletionWay;
  readonly idKind: 'id' | 'databaseId';
}

interface DeletionForecast {
  readonly rights: readonly Rights[];
  readonly graphql: DeletionAnswer;
  readonly rest: DeletionAnswer;
}

const WAYS: readonly DeletionWay[] = ['SKIP_REFUSED', 'ALL_OR_NOTHING', 'rest'];
const ID_KINDS = ['id', 'databaseId'] as const;
const POSTS_PER_BATCH = 20;

const nameOfPost = ({ databaseId, network, type, storedState }: DemoPost): string =>
  `${databaseId} (${network} ${type}, ${storedState})`;
export const nameOfDeletionCell = ({ caller, posts, way, idKind }: DeletionCell): string =>
  `${caller.workspaceName}, ${caller.keyName}, ${way} by ${idKind}, ${posts.map(nameOfPost).join(', ')}`;

/** Random groups of all posts. */
function batchesOf({ posts, keyName }: DemoCaller, name: string): DemoPost[][] {
  const shuffled = drawSample(
    posts,
    ({ databaseId }) => `${keyName} ${name} ${databaseId}`,
    posts.length,
  );
  return Array.from({ length: Math.ceil(posts.length / POSTS_PER_BATCH) }, (_none, index) =>
    shuffled.slice(index * POSTS_PER_BATCH, (index + 1) * POSTS_PER_BATCH),
  );
}

/**
 * Every post with every key, way and kind of ID, alone and among others; with a key that cannot
 * change posts, once.
 */
export function deletionCellsOf(callers: readonly DemoCaller[]): DeletionCell[] {
  return callers.flatMap((caller): DeletionCell[] =>
    caller.mayChangePosts
      ? WAYS.flatMap((way) =>
          ID_KINDS.flatMap((idKind) =>
            [...caller.posts.map((post) => [post]), ...batchesOf(caller, `${way} ${idKind}`)].map(
              (posts) => ({ caller, posts, way, idKind }),
            ),
          ),
        )
      : caller.posts.map((post, index) => ({
          caller,
          posts: [post],
          way: WAYS[index % WAYS.length]!,
          idKind: 'id',
        })),
  );
}

/** What `deletability` says about each post, as an answer of the way. */
function expectedAnswer(
  { posts, way, idKind }: DeletionCell,
  rights: readonly Rights[],
): DeletionAnswer {
  const results = rights.map((right, index) => {
    const id = posts[index]![idKind];
    if (right.kind === 'unreadable') return { id, code: right.code, message: right.message };
    return { id, code: right.deletability.code, message: right.deletability.reason };
  });
  const isStopped = way === 'ALL_OR_NOTHING' && results.some(({ code }) => code !== null);
  return {
    error: null,
    results: results.map(({ id, code, message }) => ({
      id,
      code: isStopped ? (code ?? 'RULE_VIOLATION') : code,
      message: isStopped
        ? (message ??
          'Not deleted, because another post cannot be deleted and the policy is all_or_nothing.')
        : message,
    })),
  };
}

/** The parts of an answer that both APIs tell: v1 has no code for each post. */
const textOf = ({ error, results }: DeletionAnswer, withCodes: boolean): string =>
  error ??
  results
    .map(
      ({ id, code, message }) =>
        `${id}: ${snake((withCodes && code) || '')} ${message === null ? 'deleted' : snake(message)}`,
    )
    .sort()
    .join('\n');

/** The posts that are gone although they should not be, or the reverse. */
function wrongDeletions(
  { caller, posts, idKind }: DeletionCell,
  expected: DeletionAnswer,
  changes: readonly RowChange[],
): string[] {
  const gone = new Set(
    changes.filter(({ table, kind }) => table === 'post' && kind === 'delete').map(({ id }) => id!),
  );
  const deletable = posts
    .filter((post) => expected.results.some(({ id, code }) => id === post[idKind] && code === null))
    .map(({ databaseId }) => databaseId);
  const isExpected = (databaseId: string): boolean =>
    deletable.includes(databaseId) ||
    deletable.includes(caller.posts.find((post) => post.databaseId === databaseId)?.parentId ?? '');
  return [
    ...deletable.filter((id) => !gone.has(id)).map((id) => `post ${id} is still there`),
    ...[...gone].filter((id) => !isExpected(id)).map((id) => `post ${id} is gone`),
  ];
}

/** How a deletion is checked: `deletability`, two dry runs and the real call. */
export function deletionCheck(
  gateway: TestGateway,
  readRights: RightsReader,
): CellCheck<DeletionCell, DeletionForecast, DeletionAnswer> {
  const client = createDeletionClient(gateway);
  const send = ({ caller, posts, idKind }: DeletionCell, way: DeletionWay, dryRun: boolean) =>
    client(caller, { ids: posts.map((post) => post[idKind]), way, dryRun });

  return {
    nameOf: nameOfDeletionCell,
    forecast: async (cell) => ({
      rights: await Promise.all(
        cell.posts.map((post) => readRights(cell.caller, post[cell.idKind])),
      ),
      graphql: await send(cell, cell.way === 'rest' ? 'SKIP_REFUSED' : cell.way, true),
      rest: await send(cell, 'rest', true),
    }),
    isRefused: ({ graphql, rest }) =>
      [graphql, rest].every(({ results }) => results.every(({ code }) => code !== null)),
    change: (cell) => send(cell, cell.way, false),
    compare(cell, { rights, graphql, rest }, { result, changes }) {
      const problems: string[] = [];
      const compareWith = (
        expected: DeletionAnswer,
        name: string,
        answer: DeletionAnswer,
      ): void => {
        const withCodes = answer !== rest && (answer !== result || cell.way !== 'rest');
        const [expectedText, text] = [textOf(expected, withCodes), textOf(answer, withCodes)];
        if (text !== expectedText) problems.push(`deletability: ${expectedText}; ${name}: ${text}`);
      };
      if (!cell.caller.mayChangePosts) {
        compareWith(graphql, 'dry run of REST v1', rest);
        compareWith(graphql, 'real call', result);
        return graphql.error === null ? [...problems, 'the key may delete posts'] : problems;
      }
      const expected = expectedAnswer(cell, rights);
      compareWith(expected, 'dry run of GraphQL', graphql);
      compareWith(expectedAnswer({ ...cell, way: 'rest' }, rights), 'dry run of REST v1', rest);
      compareWith(expected, 'real call', result);
      return [...problems, ...wrongDeletions(cell, expected, changes)];
    },
  };
}
