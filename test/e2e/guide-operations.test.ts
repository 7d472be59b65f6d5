import { readdirSync } from 'node:fs';
import path from 'node:path';
import { blocksOf, ROOT } from './clients/guide-blocks.js';
import { startDemo, type StartedDemo } from './started-demo.js';

jest.setTimeout(60_000);

let gateway: StartedDemo;
/** Values for the variables and the placeholders of the operations. */
let values: Readonly<Record<string, unknown>>;

async function execute(query: string, variables: object = {}): Promise<any> {
  const { url, demo } = gateway;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer-API ${demo.apiKey}`,
      'Service-Workspace-Id': demo.workspaceId,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: any; errors?: unknown };
  expect([query, errors]).toEqual([query, undefined]);
  return data;
}

beforeAll(async () => {
  gateway = await startDemo({ PUBLISH_POSTS: '0', RATE_LIMIT_REQUESTS: '10000' });
  const { accounts, failed, pending, media } = await execute(`{
    accounts(networks: [MASTODON]) { id }
    failed: posts(first: 1, filter: { states: [FAILED] }) { nodes { id } }
    pending: posts(first: 1, filter: { states: [SCHEDULED_PENDING] }) { nodes { id version } }
    media(first: 1) { nodes { id } }
  }`);
  const [post] = failed.nodes;
  const [{ id, version }] = pending.nodes;
  values = {
    account: accounts[0].id,
    accountId: null,
    post: post.id,
    ids: [post.id],
    id,
    version,
    mediaId: media.nodes[0].id,
    urls: ['https://example.com/shop.jpg'],
    after: null,
    token: '123456:ABC',
  };
});
afterAll(() => gateway?.stop());

interface Operation {
  readonly guide: string;
  readonly text: string;
}
const operations: Operation[] = readdirSync(path.join(ROOT, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    blocksOf('graphql', `docs/${file}`).map((text) => ({ guide: `docs/${file}`, text })),
  );

it('finds the operations of the guides', () => {
  expect(operations.length).toBeGreaterThan(15);
});

it.each(operations.map((operation) => [operation.guide, operation] as const))(
  '%s has an operation that works as written: %#',
  async (_guide, { text }) => {
    const query = text.replace(/"<(\w+)>"/g, (_all, name: string) => JSON.stringify(values[name]));
    const names = new Set([...text.matchAll(/\$(\w+): /g)].map(([, name]) => name!));
    expect([...names].filter((name) => !(name in values))).toEqual([]);
    const variables = Object.fromEntries([...names].map((name) => [name, values[name]]));
    await execute(query, variables);
  },
);

it('docs/approval.md has an operation that approves a post', async () => {
  const { pending } = await execute(`{
    pending: posts(first: 1, filter: { states: [SCHEDULED_PENDING] }) { nodes { id version } }
  }`);
  const [, approve] = blocksOf('graphql', 'docs/approval.md');
  const { reviewPosts } = await execute(approve!, pending.nodes[0]);
  expect(reviewPosts.results).toEqual([
    expect.objectContaining({
      done: true,
      post: expect.objectContaining({ state: 'SCHEDULED_APPROVED' }),
    }),
  ]);
});

it('docs/queues.md has operations that set times, add a post and pause', async () => {
  const [set, add, pause] = blocksOf('graphql', 'docs/queues.md').map((text) =>
    text.replace('<account>', String(values['account'])),
  );
  const { setPostingSchedule } = await execute(set!);
  const times = setPostingSchedule.account.postingSchedule.nextFree;
  expect(times).toHaveLength(3);
  const { createPosts } = await execute(add!.replace('next free time.', 'first free time.'));
  expect(createPosts).toEqual({
    posts: [{ id: expect.any(String), scheduledAt: times[0] }],
    userErrors: [],
  });
  expect((await execute(pause!)).setPostingSchedule).toEqual({ userErrors: [] });
});
