import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from '../../test/fixtures/gateway.js';
import type { KeyedViewer } from '../../test/fixtures/records.js';
import { CHANGES, LIST_QUERY, READS, type ReplicatedGateways } from './replicated-gateways.js';

/** By post ID. */
export type Texts = ReadonlyMap<string, string>;

/**
 * A user of a workspace of their own. Nobody else changes its posts, so their texts are known at any
 * time.
 */
export interface ReplicatedClient {
  readonly as: KeyedViewer;
  /** The acknowledged changes, as event types and post IDs, oldest first. */
  readonly acknowledged: readonly string[];
  /** The texts of the posts, by post ID. */
  readonly texts: Texts;
  /** Changes, creates or deletes a post through one of the gateways. */
  change(): Promise<void>;
  /** Reads through one of the gateways. Returns what is wrong in the response; null if nothing is. */
  read(): Promise<string | null>;
}

const MAX_POSTS = 5;
const DAY_MS = 86_400_000;
/** No account reaches its daily cap. */
const DAYS = 300;

const randomOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;

/** A busy gateway rejects requests. A change that may have been saved has the same effect again. */
export async function repeatIfUnavailable<T>(request: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await request();
    } catch (error) {
      if (!/UNAVAILABLE|IDEMPOTENCY_IN_FLIGHT|^503/.test((error as Error).message)) throw error;
      await sleep(50);
    }
}

type Read = (gateway: TestGateway, as: KeyedViewer) => Promise<{ texts: Texts; total: number }>;

/** Every text has this word. */
const SEARCH =
  '{ posts(first: 100, filter: {query: "number"}) { totalCount nodes { id text account { name } } } }';

const textsOf = (posts: readonly { id: string; text: string }[]): Texts =>
  new Map(posts.map(({ id, text }) => [id, text]));
const reading =
  (query: string): Read =>
  async (gateway, as) => {
    const { body } = await gateway.graphql(query, {}, { as });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    const { nodes, totalCount } = body.data.posts;
    return { texts: textsOf(nodes), total: totalCount };
  };

/** The ways to read all posts. */
const LISTS: Readonly<Record<string, Read>> = {
  list: reading(LIST_QUERY),
  search: reading(SEARCH),
  async restList(gateway, as) {
    const { status, body } = await gateway.v1('GET', '/posts', { as });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return { texts: textsOf(body.posts), total: body.total };
  },
};

async function create(
  gateway: TestGateway,
  as: KeyedViewer,
  input: { text: string; accountId: string; scheduledAt: Date; idempotencyKey: string },
): Promise<string> {
  const { text, accountId, scheduledAt, idempotencyKey } = input;
  const { body } = await gateway.graphql(
    'mutation ($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } results { message } userErrors { message } } }',
    {
      input: {
        mode: 'SCHEDULE',
        scheduledAt,
        post: { type: 'STATUS', text },
        targets: [{ accountId }],
        idempotencyKey,
      },
    },
    { as },
  );
  const id = body.data?.createPosts?.posts[0]?.id;
  if (!id) throw new Error(JSON.stringify(body));
  return id as string;
}

/** The ways to delete a post. With its key, a repeated deletion has the same result. */
const DELETIONS = [
  async (gateway: TestGateway, as: KeyedViewer, id: string, key: string): Promise<void> => {
    const { body } = await gateway.graphql(
      'mutation ($ids: [ID!]!, $key: String) { deletePosts(input: {ids: $ids, idempotencyKey: $key}) { deletedIds } }',
      { ids: [id], key },
      { as },
    );
    if (body.data?.deletePosts?.deletedIds[0] !== id) throw new Error(JSON.stringify(body));
  },
  async (gateway: TestGateway, as: KeyedViewer, id: string, key: string): Promise<void> => {
    const { status, body } = await gateway.v1('DELETE', `/posts?post_ids=${id}`, {
      as,
      headers: { 'Idempotency-Key': key },
    });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  },
];

/** Creates the user and a first post. */
export async function aReplicatedClient({
  records,
  gateways,
}: Pick<ReplicatedGateways, 'records' | 'gateways'>): Promise<ReplicatedClient> {
  const as = await records.aViewer();
  const account = await records.anAccount({ workspaceId: as.workspace.id, sandbox: true });
  const first = await records.aPost({ by: as, account, text: 'number 0' });
  const texts = new Map([[first.id, 'number 0']]);
  const acknowledged: string[] = [];
  let changes = 0;

  const actions = {
    async POST_UPDATED(text: string): Promise<string> {
      const id = randomOf([...texts.keys()]);
      const change = randomOf(Object.values(CHANGES));
      await repeatIfUnavailable(() => change(randomOf(gateways), { as, id }, text));
      texts.set(id, text);
      return id;
    },
    async POST_CREATED(text: string): Promise<string> {
      const scheduledAt = new Date(Date.now() + ((changes % DAYS) + 1) * DAY_MS);
      const input = { text, accountId: account.id, scheduledAt, idempotencyKey: randomUUID() };
      const id = await repeatIfUnavailable(() => create(randomOf(gateways), as, input));
      texts.set(id, text);
      return id;
    },
    async POST_DELETED(): Promise<string> {
      const id = randomOf([...texts.keys()]);
      const [remove, key] = [randomOf(DELETIONS), randomUUID()];
      await repeatIfUnavailable(() => remove(randomOf(gateways), as, id, key));
      texts.delete(id);
      return id;
    },
  };

  async function readAll(name: string): Promise<string | null> {
    const found = await repeatIfUnavailable(() => LISTS[name]!(randomOf(gateways), as));
    const sorted = (of: Texts): string => JSON.stringify([...of].sort());
    const isCurrent = sorted(found.texts) === sorted(texts) && found.total === texts.size;
    return isCurrent
      ? null
      : `${name}: ${found.total} posts ${sorted(found.texts)} instead of ${sorted(texts)}`;
  }

  return {
    as,
    acknowledged,
    texts,
    async change() {
      const text = `number ${++changes}`;
      const types: (keyof typeof actions)[] = ['POST_UPDATED', 'POST_UPDATED'];
      if (texts.size > 1) types.push('POST_DELETED');
      if (texts.size < MAX_POSTS) types.push('POST_CREATED');
      const type = randomOf(types);
      acknowledged.push(`${type} ${await actions[type](text)}`);
    },
    async read() {
      const name = randomOf([...Object.keys(LISTS), 'one']);
      if (name !== 'one') return readAll(name);
      const [id, text] = randomOf([...texts]);
      const read = randomOf(Object.values(READS));
      const found = await repeatIfUnavailable(() => read(randomOf(gateways), { as, id }));
      return found === text ? null : `${read.name}: ${found} instead of ${text}`;
    },
  };
}
