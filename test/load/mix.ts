import { recordsIn, type KeyedViewer } from '../fixtures/records.js';
import type { TestDatabase } from '../setup/database.js';
import type { Shot } from './arrivals.js';

const PLANNED = 1_200;
const PUBLISHED = 300;
const LABELS = 20;
const DAY_MS = 86_400_000;
const AT_ONCE = 4;

const LIST =
  '{ posts(first: 25, filter: {states: [SCHEDULED]}) { totalCount nodes { id state text scheduledAt account { name provider } user { name } labels { name color } media { id url } } } }';
const DETAIL =
  'query($id: ID!) { post(id: $id) { id state text version link { url } labels { name } editability { field allowed } networkSync { status } } }';
const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { version text } userErrors { code } } }';

interface Posts {
  readonly planned: readonly string[];
  readonly published: readonly string[];
}

/** Makes the posts of one workspace; published ones are on the sandbox network. */
export async function aWorkspaceOfPosts(
  database: TestDatabase,
): Promise<{ viewer: KeyedViewer; posts: Posts }> {
  const records = recordsIn(database);
  const viewer = await records.aViewer({ rateLimitOverride: 1_000_000_000 });
  const account = await records.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
  const make = async (count: number, cell: 'scheduled' | 'published_posted'): Promise<string[]> => {
    const ids: string[] = [];
    const share = async (first: number): Promise<void> => {
      for (let n = first; n < count; n += AT_ONCE) {
        const at = new Date(
          Math.floor(Date.now() / 1000) * 1000 +
            ((cell === 'scheduled' ? 1 : -1) * ((n + 1) * DAY_MS)) / 24,
        );
        ids.push(
          (
            await records.aPost({
              by: viewer,
              account,
              cell,
              scheduledAt: at,
              text: `Number ${n}: fresh off the roaster, light and floral.`,
              remoteId: String(n),
            })
          ).id,
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => share(first)));
    return ids;
  };
  return {
    viewer,
    posts: {
      planned: await make(PLANNED, 'scheduled'),
      published: await make(PUBLISHED, 'published_posted'),
    },
  };
}

/** What members of a workspace ask for, in the parts that they ask for it: seven of ten read. Every request can be answered with success. */
export function aMix(
  { apiKey, workspace }: KeyedViewer,
  { planned, published }: Posts,
): () => Shot {
  const headers = {
    Authorization: `Bearer-API ${apiKey}`,
    'Service-Workspace-Id': workspace.id,
    'Content-Type': 'application/json',
  };
  let count = 0;
  const oneOf = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)]!;
  const graphql = (query: string, variables: object = {}): Shot => ({
    method: 'POST',
    path: '/graphql',
    headers,
    body: JSON.stringify({ query, variables }),
  });
  const get = (path: string): Shot => ({ method: 'GET', path: `/v1${path}`, headers });
  const put = (id: string, post: object): Shot => ({
    method: 'PUT',
    path: `/v1/posts/${id}`,
    headers,
    body: JSON.stringify({ post }),
  });
  const update = (id: string, post: object): Shot =>
    graphql(UPDATE, { input: { id, post, idempotencyKey: `load ${count}` } });

  const parts: readonly (readonly [number, () => Shot])[] = [
    [25, () => graphql(LIST)],
    [10, () => get(`/posts?state=scheduled&page=${Math.floor(Math.random() * 20)}`)],
    [5, () => get('/posts?query=roaster&state=published')],
    [15, () => graphql(DETAIL, { id: oneOf(planned) })],
    [15, () => get(`/posts/${oneOf(published)}`)],
    [12, () => put(oneOf(planned), { text: `Changed ${count}` })],
    [10, () => update(oneOf(planned), { text: `Changed ${count}` })],
    [5, () => put(oneOf(planned), { labels: [{ name: `label ${count % LABELS}` }] })],
    [3, () => update(oneOf(published), { text: `Edited ${count}` })],
  ];
  const hand = parts.flatMap(([share, make]) => Array<() => Shot>(share).fill(make));
  return () => {
    count += 1;
    return hand[Math.floor(Math.random() * hand.length)]!();
  };
}
