import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Post } from '../../../src/domain/posts/post.js';
import { installEventGuard } from '../../fixtures/event-guard.js';
import { eventsOfWorkspace, type EventRow } from '../../fixtures/event-rows.js';
import { gatewayWith } from '../../fixtures/gateway.js';
import { anOperator } from '../../fixtures/operator.js';
import { exportOf, itemOf } from '../../fixtures/small-wxr.js';
import { removeFolder, temporaryFolder } from '../../setup/test-server.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

let folder: string;
const gateway = forAllTests(() => gatewayWith());
beforeAll(async () => {
  folder = temporaryFolder();
  await installEventGuard(gateway.db.pool);
});
afterAll(async () => {
  await gateway.close();
  removeFolder(folder);
});

const events = (): Promise<EventRow[]> =>
  eventsOfWorkspace(gateway.db.pool, gateway.owner.workspace.id);
async function newEvents(work: () => Promise<unknown>): Promise<EventRow[]> {
  const { length } = await events();
  await work();
  return (await events()).slice(length);
}
const operator = anOperator(() => ({ DATABASE_URL: gateway.db.url }));

const GRAPHQL = {
  update: (post: Post, text: string, dryRun = false) =>
    gateway.graphql(
      'mutation ($id: ID!, $text: String!, $dryRun: Boolean!) { updatePost(input: {id: $id, dryRun: $dryRun, post: {text: $text}}) { post { version } userErrors { message } } }',
      { id: post.id, text, dryRun },
    ),
  remove: (post: Post) =>
    gateway.graphql(
      'mutation ($ids: [ID!]!) { deletePosts(input: {ids: $ids}) { deletedIds: results { id deleted } } }',
      { ids: [post.id] },
    ),
};
const REST = {
  update: (post: Post, text: string, dryRun = false) =>
    gateway.v1('PUT', `/posts/${post.id}${dryRun ? '?dry_run=true' : ''}`, {
      body: { post: { text } },
    }),
  remove: (post: Post) => gateway.v1('DELETE', `/posts?post_ids[]=${post.id}`),
};

test.each([
  ['graphql', GRAPHQL],
  ['rest', REST],
] as const)('%s: a change and a deletion are events of this API and key', async (api, client) => {
  const { records, owner } = gateway;
  const post = await records.aPost({ by: owner });
  const written = await newEvents(async () => {
    expect((await client.update(post, 'Dry', true)).status).toBe(200);
    expect((await client.update(post, 'New')).status).toBe(200);
    expect((await client.remove(post)).status).toBe(200);
  });
  const expected = { documentId: post.id, userId: owner.user.id, keyId: owner.key.id, api };
  expect(written).toEqual([
    expect.objectContaining({ ...expected, type: 'post.updated', version: 2, changed: ['text'] }),
    expect.objectContaining({ ...expected, type: 'post.deleted', version: 2 }),
  ]);
});

test('an operator’s commands are events: accounts, imports, and the deletion of a user with the posts', async () => {
  const { records, owner } = gateway;
  const { workspace } = owner;
  const editor = await records.aViewer({ workspaceId: workspace.id, role: 'editor' });
  const [post, draft, deleted] = [
    await records.aPost({ by: editor }),
    await records.aPost({ by: editor, storedState: 'draft_private_undated' }),
    await records.aPost({ by: editor }),
  ];
  await REST.remove(deleted);
  const file = path.join(folder, 'export.xml');
  writeFileSync(file, exportOf(itemOf({ id: 1, title: 'One', password: 'secret' })));
  const written = await newEvents(async () => {
    const { id } = await operator.json(
      ...`accounts create --workspace ${workspace.id} --network wordpress --name Blog --social-id blog.example`.split(
        ' ',
      ),
    );
    const { code } = await operator.cli(
      'import',
      'wordpress',
      file,
      '--workspace',
      workspace.id,
      '--account',
      id,
    );
    expect(code).toBe(0);
    const user = editor.user.id;
    await operator.json('users', 'delete', user, '--posts', '--confirm', user);
  });
  expect(
    written.map(({ type, api, userId, documentId, visibleTo }) => [
      type,
      api,
      userId,
      ...(type === 'post.deleted' ? [documentId, visibleTo] : []),
    ]),
  ).toEqual([
    ['account.connected', 'cli', null],
    ['label.changed', 'import', owner.user.id],
    ['post.created', 'import', owner.user.id],
    ['job.finished', 'import', owner.user.id],
    ['post.deleted', 'cli', null, post.id, null],
    ['post.deleted', 'cli', null, draft.id, editor.user.id],
  ]);
});

test('the deletion of a workspace deletes its events', async () => {
  const other = await gateway.records.aViewer();
  await gateway.records.aPost({ by: other });
  const eventsOfOther = () => eventsOfWorkspace(gateway.db.pool, other.workspace.id);
  expect(await eventsOfOther()).not.toEqual([]);
  const { id } = other.workspace;
  await operator.json('workspaces', 'delete', id, '--confirm', id);
  expect(await eventsOfOther()).toEqual([]);
  expect(await events()).not.toEqual([]);
});
