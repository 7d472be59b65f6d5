import type { ValuePools } from '../fixtures/random/values.js';
import type { Sender } from './fuzz-request.js';

const LISTS = {
  'Query.posts': '{ posts(first: 30) { edges { cursor } } }',
  'Query.posts by creation':
    '{ posts(first: 10, orderBy: { field: CREATED_AT }) { edges { cursor } } }',
  'Query.posts by engagement':
    '{ posts(first: 10, orderBy: { field: ENGAGEMENT }) { edges { cursor } } }',
  'Query.labels': '{ labels { edges { cursor } } }',
  'Query.media': '{ media { edges { cursor } } }',
  'Viewer.notifications': '{ viewer { notifications { edges { cursor } } } }',
  'Post.occurrences':
    '{ posts(filter: { states: [RECURRING] }) { nodes { occurrences { edges { cursor } } } } }',
};
const INVALID_CURSORS = ['', 'nope', 'x'.repeat(2_000), 'WyJhIiwxXQ'];

const cursorsIn = (response: string): string[] =>
  [...response.matchAll(/"cursor":"([^"]+)"/g)].map(([, cursor]) => cursor!);

/**
 * Values for `after` and `before`, by list: its own cursors, some of other lists, and invalid ones.
 */
export async function readSampleCursors(send: Sender): Promise<ValuePools> {
  const fromAllLists: string[] = [];
  const pools: Record<string, string[]> = {};
  for (const [label, query] of Object.entries(LISTS)) {
    const { text } = await send({
      key: 'owner',
      workspace: 'main',
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const cursors = cursorsIn(text);
    if (cursors.length === 0) throw new Error(`${label} has no cursors: ${text}`);
    const [list = ''] = label.split(' ');
    pools[list] = [...(pools[list] ?? []), ...cursors];
    fromAllLists.push(...cursors.slice(0, 2));
  }
  return Object.fromEntries(
    Object.entries(pools).flatMap(([list, cursors]) =>
      ['after', 'before'].map((name) => [
        `${list}.${name}`,
        [...cursors, ...fromAllLists, ...INVALID_CURSORS],
      ]),
    ),
  );
}
