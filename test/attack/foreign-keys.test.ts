import type { KeyedViewer } from '../fixtures/records.js';
import type { Answer } from '../fixtures/gateway.js';
import { suite } from '../setup/suite.js';
import { steady, twoTenants, type Tenants } from './tenants.js';
import { UNUSED_KEY, type KeyUser } from './victim.js';

jest.setTimeout(120_000);

/** Idempotency keys of others, in changes that are meant: a dry run looks at no key. */
let tenants: Tenants;
beforeAll(async () => {
  tenants = await twoTenants();
});
afterAll(() => tenants.gateway.close());

interface Sent {
  readonly as: KeyedViewer;
  readonly key: string;
  readonly id: string;
  readonly text: string;
}
const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { id text version } job { id } userErrors { code message } } }';
const DELETE =
  'mutation($input: DeletePostsInput!) { deletePosts(input: $input) { deletedIds results { id deleted code message } userErrors { code message } } }';
const CHANGES: Readonly<Record<string, (sent: Sent) => Promise<Answer<unknown>>>> = {
  'an update over GraphQL': ({ as, key, id, text }) =>
    tenants.gateway.graphql(UPDATE, { input: { id, post: { text }, idempotencyKey: key } }, { as }),
  'an update over REST v1': ({ as, key, id, text }) =>
    tenants.gateway.v1('PUT', `/posts/${id}`, {
      as,
      headers: { 'Idempotency-Key': key },
      body: { post: { text } },
    }),
  'a deletion over GraphQL': ({ as, key, id }) =>
    tenants.gateway.graphql(DELETE, { input: { ids: [id], idempotencyKey: key } }, { as }),
  'a deletion over REST v1': ({ as, key, id }) =>
    tenants.gateway.v1('DELETE', `/posts?post_ids[]=${id}`, {
      as,
      headers: { 'Idempotency-Key': key },
    }),
};

/** Who asks, and whose key it is that they send. */
const ATTACKS: readonly (readonly [who: string, attack: () => { as: KeyedViewer; of: KeyUser }])[] =
  [
    [
      'a stranger with the victim’s key',
      () => ({ as: tenants.stranger, of: tenants.victim.keyUsers[0]! }),
    ],
    [
      'a member of both with the victim’s key',
      () => ({ as: tenants.memberOfBoth, of: tenants.victim.keyUsers[0]! }),
    ],
    [
      'a member of both with their own key of the other workspace',
      () => ({
        as: { ...tenants.victim.keyUsers[1]!.by, workspace: tenants.stranger.workspace },
        of: tenants.victim.keyUsers[1]!,
      }),
    ],
    [
      'a member with the victim’s key in their workspace',
      () => ({ as: tenants.victim.keyUsers[1]!.by, of: tenants.victim.keyUsers[0]! }),
    ],
  ];
const MATRIX = Object.keys(CHANGES).flatMap((change) =>
  ATTACKS.map(([who, attack]) => ({ change, who, attack })),
);

let requests = 0;
/** What was answered, but for what is new in each answer; what the same user sent here under the key before is forgotten, since that is theirs. */
async function told(change: string, sent: Sent): Promise<string> {
  requests += 1;
  await tenants.gateway.db.pool.query(
    'DELETE FROM idempotency WHERE user_id = $1 AND workspace_id = $2 AND key = $3',
    [sent.as.user.id, sent.as.workspace.id, sent.key],
  );
  const { status, headers, body } = await CHANGES[change]!(sent);
  const { extensions: _cost, ...rest } = body as { extensions?: unknown };
  return JSON.stringify([status, steady(headers).filter(([name]) => name !== 'etag'), rest])
    .replaceAll(sent.id, '<id>')
    .replace(/\bjob_\w{16}\b/g, '<job>');
}

it.each(MATRIX)(
  '$who, $change: it is as good as a key that nobody used',
  async ({ change, attack }) => {
    const {
      as,
      of: { key, changed, text, gone },
    } = attack();
    const id = change.startsWith('an update') ? changed : gone;
    const repetition = await told(change, { as, key, id, text });
    expect(repetition).toBe(await told(change, { as, key: `${UNUSED_KEY}, ${change}`, id, text }));
    expect(repetition).not.toMatch(/idempotency-replayed|IDEMPOTENCY_MISMATCH/);

    const { workspace } = tenants.stranger;
    if (as.workspace.id !== workspace.id) return;
    const account = await tenants.gateway.records.anAccount({ workspaceId: workspace.id });
    const [one, other] = [
      await tenants.gateway.records.aPost({ by: tenants.stranger, account }),
      await tenants.gateway.records.aPost({ by: tenants.stranger, account }),
    ];
    const own = (post: { id: string }, sentKey: string) =>
      told(change, { as, key: sentKey, id: post.id, text: 'mine' });
    const done = await own(one, key);
    expect(done).toBe(await own(other, `${UNUSED_KEY}, ${change}, own`));
    expect(done).toMatch(/"text":"mine"|"deleted":true|"deleted_ids":\["<id>"\]/);
  },
);

it('has changed nothing of the victim’s, whose own keys still give their outcomes again', async () => {
  const { came, went } = await tenants.victim.changes(tenants.stranger.workspace.id);
  expect({ came: came.filter((row) => !row.startsWith('idempotency ')), went }).toEqual({
    came: [],
    went: [],
  });
  for (const { by, key, changed, text, gone } of tenants.victim.keyUsers) {
    const replays = [
      await CHANGES['an update over REST v1']!({ as: by, key, id: changed, text }),
      await CHANGES['a deletion over REST v1']!({ as: by, key, id: gone, text }),
    ];
    expect(
      replays.map(({ status, headers }) => [status, headers.get('idempotency-replayed')]),
    ).toEqual([
      [200, 'true'],
      [200, 'true'],
    ]);
  }
  suite.tell(
    `Foreign idempotency keys: ${MATRIX.length} changes that were meant, ${requests} requests.`,
  );
});
