import type { TestResponse } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { suite } from '../setup/suite.js';
import { UNUSED_KEY } from './foreign-ids.js';
import type { KeyUse } from './foreign-records.js';
import { stableHeaders } from './response-differences.js';
import { createTwoWorkspaces } from './two-workspaces.js';
import { forAllTests } from '../fixtures/lifecycle.js';

/** Idempotency keys of other users and workspaces, in real changes: dry runs do not read keys. */
const workspaces = forAllTests(() => createTwoWorkspaces());
afterAll(() => workspaces.gateway.close());

interface KeyedChange {
  readonly as: KeyedViewer;
  readonly key: string;
  readonly id: string;
  readonly text: string;
}
const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { id text version } job { id } userErrors { code message } } }';
const DELETE =
  'mutation($input: DeletePostsInput!) { deletePosts(input: $input) { deletedIds results { id deleted code message } userErrors { code message } } }';
const CHANGES: Readonly<Record<string, (change: KeyedChange) => Promise<TestResponse<unknown>>>> = {
  'an update over GraphQL': ({ as, key, id, text }) =>
    workspaces.gateway.graphql(
      UPDATE,
      { input: { id, post: { text }, idempotencyKey: key } },
      { as },
    ),
  'an update over REST v1': ({ as, key, id, text }) =>
    workspaces.gateway.v1('PUT', `/posts/${id}`, {
      as,
      headers: { 'Idempotency-Key': key },
      body: { post: { text } },
    }),
  'a deletion over GraphQL': ({ as, key, id }) =>
    workspaces.gateway.graphql(DELETE, { input: { ids: [id], idempotencyKey: key } }, { as }),
  'a deletion over REST v1': ({ as, key, id }) =>
    workspaces.gateway.v1('DELETE', `/posts?post_ids[]=${id}`, {
      as,
      headers: { 'Idempotency-Key': key },
    }),
};

interface KeyAttack {
  readonly as: KeyedViewer;
  /** The earlier use of the key that the caller sends. */
  readonly keyUse: KeyUse;
}
const ATTACKS: readonly (readonly [attacker: string, createAttack: () => KeyAttack])[] = [
  [
    'a non-member with the key of the foreign owner',
    () => ({ as: workspaces.nonMember, keyUse: workspaces.foreign.keyUses.owner }),
  ],
  [
    'a member of both workspaces with the key of the foreign owner',
    () => ({ as: workspaces.memberOfBoth, keyUse: workspaces.foreign.keyUses.owner }),
  ],
  [
    'a member of both workspaces with their own key from the foreign workspace',
    () => {
      const { keyUses } = workspaces.foreign;
      const { workspace } = workspaces.nonMember;
      return { as: { ...keyUses.member.by, workspace }, keyUse: keyUses.member };
    },
  ],
  [
    'a member of the foreign workspace with the key of its owner',
    () => {
      const { keyUses } = workspaces.foreign;
      return { as: keyUses.member.by, keyUse: keyUses.owner };
    },
  ],
];
const MATRIX = Object.keys(CHANGES).flatMap((change) =>
  ATTACKS.map(([attacker, createAttack]) => ({ change, attacker, createAttack })),
);

let requests = 0;
/**
 * Sends a change and returns the parts of the response that are equal in repetitions. First deletes
 * the caller's own record of the key, so that only records of others can have an effect.
 */
async function send(changeName: string, change: KeyedChange): Promise<string> {
  requests += 1;
  await workspaces.gateway.db.pool.query(
    'DELETE FROM idempotency WHERE user_id = $1 AND workspace_id = $2 AND key = $3',
    [change.as.user.id, change.as.workspace.id, change.key],
  );
  const { status, headers, body } = await CHANGES[changeName]!(change);
  const { extensions: _cost, ...rest } = body as { extensions?: unknown };
  const otherHeaders = stableHeaders(headers).filter(([name]) => name !== 'etag');
  return JSON.stringify([status, otherHeaders, rest])
    .replaceAll(change.id, '<id>')
    .replace(/\bjob_\w{16}\b/g, '<job>');
}

it.each(MATRIX)(
  '$attacker, $change: the key has the effect of an unused one',
  async ({ change, createAttack }) => {
    const {
      as,
      keyUse: { key, updatedId, text, deletedId },
    } = createAttack();
    const id = change.startsWith('an update') ? updatedId : deletedId;
    const response = await send(change, { as, key, id, text });
    expect(response).toBe(await send(change, { as, key: `${UNUSED_KEY}, ${change}`, id, text }));
    expect(response).not.toMatch(/idempotency-replayed|IDEMPOTENCY_MISMATCH/);

    const { workspace } = workspaces.nonMember;
    if (as.workspace.id !== workspace.id) return;
    const { records } = workspaces.gateway;
    const account = await records.anAccount({ workspaceId: workspace.id });
    // The posts get the same text: drafts are no duplicates.
    const aDraft = () =>
      records.aPost({ by: workspaces.nonMember, account, storedState: 'draft_dated' });
    const posts = [await aDraft(), await aDraft()] as const;
    const changeOwn = (post: { id: string }, sentKey: string) =>
      send(change, { as, key: sentKey, id: post.id, text: 'mine' });
    const ownResponse = await changeOwn(posts[0], key);
    expect(ownResponse).toBe(await changeOwn(posts[1], `${UNUSED_KEY}, ${change}, own`));
    expect(ownResponse).toMatch(/"text":"mine"|"deleted":true|"deleted_ids":\["<id>"\]/);
  },
);

it('changes nothing in the foreign workspace, whose own keys still replay their outcomes', async () => {
  const { foreign, nonMember } = workspaces;
  const { added, removed } = await foreign.rowChanges(nonMember.workspace.id);
  expect({ added: added.filter((row) => !row.startsWith('idempotency ')), removed }).toEqual({
    added: [],
    removed: [],
  });
  for (const { by, key, updatedId, text, deletedId } of Object.values(foreign.keyUses)) {
    const replays = [
      await CHANGES['an update over REST v1']!({ as: by, key, id: updatedId, text }),
      await CHANGES['a deletion over REST v1']!({ as: by, key, id: deletedId, text }),
    ];
    expect(
      replays.map(({ status, headers }) => [status, headers.get('idempotency-replayed')]),
    ).toEqual([
      [200, 'true'],
      [200, 'true'],
    ]);
  }
  suite.report(
    `Foreign idempotency keys: ${MATRIX.length} changes without dry run, ${requests} requests.`,
  );
});
