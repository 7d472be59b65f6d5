import type { KeyedViewer } from '../fixtures/records.js';
import type { GatewayClient, GatewayResponse } from './gateway-client.js';

/** A post as a client keeps it. */
export interface MirroredPost {
  readonly id: string;
  readonly version: number;
  readonly text: string;
  readonly scheduledAt: string | null;
  /** In GraphQL only. */
  readonly databaseId?: number;
}

interface ReceivedChange {
  readonly kind: 'upserted' | 'deleted';
  readonly postId: string;
  readonly post: MirroredPost | null;
}
interface ReceivedPage {
  readonly changes: readonly ReceivedChange[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const FIELDS = 'id databaseId version text scheduledAt';
const timeOf = (text: string | null): string | null => text && new Date(text).toISOString();

const graphqlPage = ({ body }: GatewayResponse): ReceivedPage => {
  const { nodes, nextCursor, hasMore } = body.data.changes;
  return {
    changes: nodes.map(({ kind, postId, post }: any) => ({
      kind: kind.toLowerCase(),
      postId,
      post: post && { ...post, scheduledAt: timeOf(post.scheduledAt) },
    })),
    cursor: nextCursor,
    hasMore,
  };
};
const restPage = ({ body }: GatewayResponse): ReceivedPage => ({
  changes: body.changes.map(({ kind, post_id: postId, version, post }: any) => ({
    kind,
    postId,
    post: post && { id: post.id, version, text: post.text, scheduledAt: timeOf(post.scheduled_at) },
  })),
  cursor: body.next_cursor,
  hasMore: body.has_more,
});

/** Size of the pages of a list that is read while it changes: small, so that posts come and go between them. */
const SMALL_PAGE = 5;
const OVERLOADED = 503;
const isOverloaded = ({ status, body }: GatewayResponse): boolean =>
  status === OVERLOADED || body.errors?.[0].extensions.code === 'UNAVAILABLE';

const inListOrder = (a: MirroredPost, b: MirroredPost): number => {
  if (a.scheduledAt !== b.scheduledAt)
    return (b.scheduledAt ?? '').localeCompare(a.scheduledAt ?? '');
  return b.databaseId! - a.databaseId!;
};

/** A client that reads changes from any of the gateways, and applies them to its copy of the list. */
export function createMirror(client: GatewayClient, viewer: KeyedViewer, api: 'graphql' | 'rest') {
  const posts = new Map<string, MirroredPost>();
  const violations: string[] = [];
  let cursor: string | null = null;
  let pages = 0;

  /** Null if the gateway is overloaded: the client tries again. */
  async function readPage(): Promise<ReceivedPage | null> {
    const gateway = Math.floor(Math.random() * 4);
    const first = 1 + Math.floor(Math.random() * 20);
    const after = cursor === null ? '' : `&after=${cursor}`;
    if (api === 'rest') {
      const response = await client.send(gateway, {
        as: viewer,
        method: 'GET',
        path: `/v1/posts/changes?first=${first}${after}`,
      });
      return response.status === OVERLOADED ? null : restPage(response);
    }
    const query = `query ($after: String, $first: Int) { changes(after: $after, first: $first) { nodes { kind postId post { ${FIELDS} } } nextCursor hasMore } }`;
    const response = await client.send(gateway, {
      as: viewer,
      method: 'POST',
      path: '/graphql',
      body: { query, variables: { after: cursor, first } },
    });
    return isOverloaded(response) ? null : graphqlPage(response);
  }

  function apply({ changes, cursor: next }: ReceivedPage): void {
    pages += 1;
    cursor = next;
    if (new Set(changes.map(({ postId }) => postId)).size < changes.length)
      violations.push('a post came twice in one page');
    for (const { kind, postId, post } of changes) {
      const known = posts.get(postId);
      if (kind === 'deleted') posts.delete(postId);
      else if (known && known.version > post!.version)
        violations.push(`${postId} went back from version ${known.version} to ${post!.version}`);
      else posts.set(postId, post!);
    }
  }

  async function step(): Promise<boolean> {
    const page = await readPage();
    if (page) apply(page);
    return page?.hasMore ?? true;
  }

  return {
    viewer,
    name: `${viewer.user.name} (${viewer.role}, ${api})`,
    violations,
    pages: () => pages,
    /** Starts as clients do: takes a cursor, and then reads the list, page by page. */
    async start(): Promise<void> {
      while (cursor === null) await step();
      const list = await readList(client, viewer, SMALL_PAGE);
      for (const post of list) posts.set(post.id, post);
    },
    /** Reads one page. Returns whether there are more. */
    step,
    /** How the copy differs from the list; empty if it does not, nor its order. */
    differences(list: readonly MirroredPost[]): string[] {
      const texts = (items: readonly MirroredPost[]): string[] =>
        api === 'graphql'
          ? items.map((post) => JSON.stringify(post))
          : items.map(({ databaseId: _databaseId, ...post }) => JSON.stringify(post)).sort();
      const [copied, listed] = [texts([...posts.values()].sort(inListOrder)), texts(list)];
      const differences = [
        ...copied.filter((text) => !listed.includes(text)).map((text) => `surplus ${text}`),
        ...listed.filter((text) => !copied.includes(text)).map((text) => `missing ${text}`),
      ];
      const isSame = copied.join() === listed.join();
      return isSame || differences.length > 0 ? differences : ['other order'];
    },
  };
}
export type Mirror = ReturnType<typeof createMirror>;

/** The viewer's list, read in pages of this size. */
export async function readList(
  client: GatewayClient,
  as: KeyedViewer,
  first = 100,
): Promise<MirroredPost[]> {
  const list: MirroredPost[] = [];
  for (let after: string | null = null; ;) {
    const response = await client.send(0, {
      as,
      method: 'POST',
      path: '/graphql',
      body: {
        query: `query ($first: Int, $after: String) { posts(first: $first, after: $after) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
        variables: { first, after },
      },
    });
    if (isOverloaded(response)) continue;
    const { nodes, pageInfo } = response.body.data.posts;
    list.push(
      ...nodes.map((node: MirroredPost) => ({ ...node, scheduledAt: timeOf(node.scheduledAt) })),
    );
    if (!pageInfo.hasNextPage) return list;
    after = pageInfo.endCursor as string;
  }
}
