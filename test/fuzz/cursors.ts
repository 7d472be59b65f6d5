import type { Pools } from '../fixtures/random/values.js';
import type { Sender } from './ask.js';

const LISTS = {
  'Query.posts': '{ posts(first: 30) { edges { cursor } } }',
  'Query.posts by creation':
    '{ posts(first: 10, orderBy: { field: CREATED_AT }) { edges { cursor } } }',
  'Query.labels': '{ labels { edges { cursor } } }',
  'Query.media': '{ media { edges { cursor } } }',
  'Viewer.notifications': '{ viewer { notifications { edges { cursor } } } }',
  'Post.occurrences':
    '{ posts(filter: { states: [RECURRING] }) { nodes { occurrences { edges { cursor } } } } }',
};
const FALSE = ['', 'nope', 'x'.repeat(2_000), 'WyJhIiwxXQ'];

const cursorsIn = (answer: string): string[] =>
  [...answer.matchAll(/"cursor":"([^"]+)"/g)].map(([, cursor]) => cursor!);

/** Where pages of the world's lists can begin, some of other lists, and what is no cursor. */
export async function cursorsOf(send: Sender): Promise<Pools> {
  const found: string[] = [];
  const pools: Record<string, string[]> = {};
  for (const [place, query] of Object.entries(LISTS)) {
    const { text } = await send({
      key: 'owner',
      workspace: 'main',
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const cursors = cursorsIn(text);
    if (cursors.length === 0) throw new Error(`${place} has no cursors: ${text}`);
    const [list = ''] = place.split(' ');
    pools[list] = [...(pools[list] ?? []), ...cursors];
    found.push(...cursors.slice(0, 2));
  }
  return Object.fromEntries(
    Object.entries(pools).flatMap(([list, cursors]) =>
      ['after', 'before'].map((name) => [`${list}.${name}`, [...cursors, ...found, ...FALSE]]),
    ),
  );
}
