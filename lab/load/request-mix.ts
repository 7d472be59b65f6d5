import { recordsIn, type KeyedViewer } from '../../test/fixtures/records.js';
import type { TestDatabase } from '../../test/setup/database.js';
import type { LoadRequest } from './load-generator.js';

const SCHEDULED_POSTS = 1_200;
const PUBLISHED_POSTS = 300;
const LABELS = 20;
const DAY_MS = 86_400_000;
const CONCURRENCY = 4;

/** Page 1 of a list. */
export const LIST =
  '{ posts(first: 25, filter: {states: [SCHEDULED]}) { totalCount nodes { id state text scheduledAt account { name provider } user { name } labels { name color } media { id url } } } }';
const DETAIL =
  'query($id: ID!) { post(id: $id) { id state text version link { url } labels { name } editability { field allowed } networkSync { status } } }';
const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { version text } userErrors { code } } }';

interface Posts {
  readonly scheduled: readonly string[];
  readonly published: readonly string[];
}

/** Creates a workspace with posts. Published ones are on the sandbox network. */
export async function createWorkspaceWithPosts(
  database: TestDatabase,
): Promise<{ viewer: KeyedViewer; posts: Posts }> {
  const records = recordsIn(database);
  const viewer = await records.aViewer({ rateLimitOverride: 1_000_000_000 });
  const account = await records.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
  const create = async (
    count: number,
    storedState: 'scheduled' | 'published_posted',
  ): Promise<string[]> => {
    const ids: string[] = [];
    const createEveryNth = async (first: number): Promise<void> => {
      for (let n = first; n < count; n += CONCURRENCY) {
        const at = new Date(
          Math.floor(Date.now() / 1000) * 1000 +
            ((storedState === 'scheduled' ? 1 : -1) * ((n + 1) * DAY_MS)) / 24,
        );
        ids.push(
          (
            await records.aPost({
              by: viewer,
              account,
              storedState,
              scheduledAt: at,
              text: `Number ${n}: fresh off the roaster, light and floral.`,
              remoteId: String(n),
            })
          ).id,
        );
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, (_, first) => createEveryNth(first)));
    return ids;
  };
  return {
    viewer,
    posts: {
      scheduled: await create(SCHEDULED_POSTS, 'scheduled'),
      published: await create(PUBLISHED_POSTS, 'published_posted'),
    },
  };
}

/**
 * Random requests in the proportions of normal use: seven of ten are reads. Every request can
 * succeed.
 */
export function createRequestMix(
  { apiKey, workspace }: KeyedViewer,
  { scheduled, published }: Posts,
): () => LoadRequest {
  const headers = {
    Authorization: `Bearer-API ${apiKey}`,
    'Service-Workspace-Id': workspace.id,
    'Content-Type': 'application/json',
  };
  let count = 0;
  const oneOf = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)]!;
  const graphql = (query: string, variables: object = {}): LoadRequest => ({
    method: 'POST',
    path: '/graphql',
    headers,
    body: JSON.stringify({ query, variables }),
  });
  const get = (path: string): LoadRequest => ({ method: 'GET', path: `/v1${path}`, headers });
  const put = (id: string, post: object): LoadRequest => ({
    method: 'PUT',
    path: `/v1/posts/${id}`,
    headers,
    body: JSON.stringify({ post }),
  });
  const update = (id: string, post: object): LoadRequest =>
    graphql(UPDATE, { input: { id, post, idempotencyKey: `load ${count}` } });

  const operations: readonly (readonly [number, () => LoadRequest])[] = [
    [25, () => graphql(LIST)],
    [10, () => get(`/posts?state=scheduled&page=${Math.floor(Math.random() * 20)}`)],
    [5, () => get('/posts?query=roaster&state=published')],
    [15, () => graphql(DETAIL, { id: oneOf(scheduled) })],
    [15, () => get(`/posts/${oneOf(published)}`)],
    [12, () => put(oneOf(scheduled), { text: `Changed ${count}` })],
    [10, () => update(oneOf(scheduled), { text: `Changed ${count}` })],
    [5, () => put(oneOf(scheduled), { labels: [{ name: `label ${count % LABELS}` }] })],
    [3, () => update(oneOf(published), { text: `Edited ${count}` })],
  ];
  const weighted = operations.flatMap(([weight, create]) =>
    Array<() => LoadRequest>(weight).fill(create),
  );
  return () => {
    count += 1;
    return weighted[Math.floor(Math.random() * weighted.length)]!();
  };
}
