import { EMPTY_CHANGE, type Change, type PostWrite } from '../../../src/domain/changes/change.js';
import { toActor } from '../../../src/domain/access/viewer.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { createPostStore } from '../../../src/persistence/posts/post-store.js';
import { recordsIn } from '../../fixtures/records.js';
import { recordStatements } from '../../fixtures/statements.js';
import { withDatabase } from '../../setup/database.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const database = withDatabase();
const records = forAllTests(() => recordsIn(database));

const at = new Date('2026-12-01T00:00:00Z');

/** Saves an invalid post, bypassing the domain rules. */
async function save(fields: Partial<Post>): Promise<unknown> {
  const viewer = await records.aViewer();
  const account = await records.anAccount({ workspaceId: viewer.workspace.id });
  const post = await records.aPost({ by: viewer, account, scheduledAt: at });
  const store = createPostStore(database);
  const [databaseId] = await store.reserveIds(1);
  const insert: PostWrite = {
    kind: 'insert',
    after: { ...post, id: records.ids.document(), databaseId: databaseId!, ...fields },
    slots: [],
  };
  const change: Change = {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at,
    posts: [insert],
  };
  return store.save(change);
}

test('a valid post is saved', async () => {
  expect(await save({})).toEqual({ kind: 'saved' });
});

test('an account of another workspace', async () => {
  const foreign = await records.anAccount({ workspaceId: (await records.aViewer()).workspace.id });
  await expect(save({ accountId: foreign.id })).rejects.toThrow(
    'post_workspace_id_account_id_fkey',
  );
});

test.each([
  ['post_dated_unless_undated_draft', { scheduledAt: null }],
  ['post_dated_unless_undated_draft', { storedState: 'draft_undated', scheduledAt: at }],
  ['post_dated_unless_undated_draft', { storedState: 'draft_private_dated', scheduledAt: null }],
  ['post_account_unless_draft', { accountId: null, network: null }],
  ['post_account_and_network', { accountId: null, storedState: 'draft_dated' }],
  ['post_scheduled_at_whole_seconds', { scheduledAt: new Date(at.getTime() + 1) }],
  ['post_queued_while_scheduled', { storedState: 'published_posted', queuedAt: at }],
  ['post_doc_id_format', { id: 'F'.repeat(24) }],
  ['post_version_positive', { version: 0 }],
  ['post_body_text_length', { text: 'x'.repeat(100_001) }],
  ['post_body_duration_positive', { duration: 0 }],
  ['post_parent_id_fkey', { parentId: 2_000_000_000 }],
] as [string, Partial<Post>][])('%s: %j', async (constraint, fields) => {
  await expect(save(fields)).rejects.toThrow(constraint);
});

test('two labels with the same name, ignoring case', async () => {
  const { workspace } = await records.aViewer();
  await records.aLabel({ workspaceId: workspace.id, name: 'News' });
  await expect(records.aLabel({ workspaceId: workspace.id, name: 'NEWS' })).rejects.toMatchObject({
    code: 'P2002',
  });
  await expect(
    records.aLabel({ workspaceId: workspace.id, name: 'other', color: 'red' }),
  ).rejects.toThrow('label_color_format');
});

test('a row changed in the meantime is a conflict, and the whole change is rolled back', async () => {
  const viewer = await records.aViewer();
  const store = createPostStore(database);
  const account = await records.anAccount({ workspaceId: viewer.workspace.id });
  const [one, two] = [
    await records.aPost({ by: viewer, account }),
    await records.aPost({ by: viewer, account, version: 2 }),
  ];
  const write = (before: Post): PostWrite => ({
    kind: 'update',
    before: { ...before, version: 1 },
    after: { ...before, version: 2, text: 'New' },
    changed: ['text'],
    slots: null,
  });
  const label = { id: records.ids.prefixed('lbl'), name: 'fresh', color: '#000000' };
  const change: Change = {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at,
    posts: [write(one), write(two)],
    newLabels: [label],
  };
  expect(await store.save(change)).toEqual({ kind: 'conflict' });
  expect(await store.byDatabaseId(viewer, [one.databaseId])).toMatchObject(
    new Map([[one.databaseId, { version: 1, text: one.text }]]),
  );
  expect(await store.labelsByName(viewer.workspace.id, ['fresh'])).toEqual([]);
});

test('an update is one read and one statement', async () => {
  const viewer = await records.aViewer();
  const post = await records.aPost({ by: viewer });
  const store = createPostStore(database);
  await store.findAll(viewer, [{ kind: 'document', id: post.id }]); // caches its account and labels
  const change: Change = {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at,
    posts: [
      {
        kind: 'update',
        before: post,
        after: { ...post, version: 2, text: 'New' },
        changed: ['text'],
        slots: null,
      },
    ],
  };
  const { statements } = await recordStatements(async () => {
    await store.findAll(viewer, [{ kind: 'document', id: post.id }]);
    await store.save(change);
  });
  const texts = statements.map(({ text }) => text.slice(0, 6));
  expect(texts).toEqual(['SELECT', 'WITH r']);
});
