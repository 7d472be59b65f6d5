import {
  createDeletionStore,
  DELETED_USER,
} from '../../../src/persistence/admin/deletion-store.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { updatedPost, withServices } from '../../fixtures/services.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

let renewed: string[];
const shop = withServices();

const deletions = forAllTests(() =>
  createDeletionStore(shop.database, {
    renew: async (ids) => {
      renewed.push(...ids);
    },
  }),
);
beforeEach(() => {
  renewed = [];
});

const ignoreProgress = (): void => {};
const count = async (rest: string, ...values: unknown[]): Promise<number> =>
  (await shop.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${rest}`, ...values))[0]!.n;

/** A workspace that requires approval and has rows in most tables. Olga can approve, Emil edits. */
async function aBusyWorkspace() {
  const { id: workspaceId, ownerId: userId } = await shop.aWorkspace({ requiresApproval: true });
  const olga = await shop.aViewer({ workspaceId, role: 'admin', name: 'Olga' });
  const emil = await shop.aViewer({ workspaceId, role: 'editor', name: 'Emil' });
  const brief = {
    by: emil,
    labels: [await shop.aLabel({ workspaceId })],
    media: [await shop.aMedia({ workspaceId })],
  };
  const series = await shop.aPost({ ...brief, by: olga, storedState: 'recurring' });
  await shop.aPost({
    ...brief,
    by: olga,
    storedState: 'published_posted',
    parentId: series.databaseId,
  });
  const live = await shop.aPost({ ...brief, storedState: 'published_posted' });
  const planned = await shop.aPost(brief);
  const deleted = await shop.aPost(brief);
  const draft = await shop.aPost({ by: emil, storedState: 'draft_private_undated' });
  updatedPost(await shop.update(olga, live, { text: 'New' }, { idempotencyKey: 'once' }));
  updatedPost(await shop.update(emil, planned, { text: 'Please approve' }));
  expect(await shop.remove(emil, [deleted.id])).toMatchObject({ kind: 'done' });
  await shop.sql(
    'INSERT INTO removed_import (workspace_id, import_key) VALUES ($1, $2)',
    workspaceId,
    'k',
  );
  return { workspaceId, userId, olga, emil, live, planned, draft };
}
const isMember = ({ user, workspace }: Viewer): Promise<number> =>
  count('membership WHERE user_id = $1 AND workspace_id = $2', user.id, workspace.id);

describe('a workspace', () => {
  it('is reported with its contents and deleted with all of them; everything else stays unchanged', async () => {
    await aBusyWorkspace();
    const before = await shop.allRows();
    const { workspaceId, userId, olga, emil } = await aBusyWorkspace();
    expect(await deletions.workspace(workspaceId)).toEqual({
      id: workspaceId,
      name: 'Kiosk',
      posts: 6,
      accounts: 5,
      members: 3,
    });
    // a network edit
    expect(await count('job WHERE workspace_id = $1', workspaceId)).toBe(1);
    const seen: number[] = [];
    await deletions.deleteWorkspace(workspaceId, (done) => {
      seen.push(done);
    });
    expect(seen).toEqual([1]);
    expect(await deletions.workspace(workspaceId)).toBeNull();
    expect(renewed.sort()).toEqual([userId, olga.user.id, emil.user.id].sort());
    const users = [userId, olga.user.id, emil.user.id];
    // only their keys still refer to them
    await shop.sql('DELETE FROM app_user WHERE id = ANY($1)', users);
    expect(await shop.allRows()).toEqual(before);
  });

  it('with many posts is deleted in batches, with progress after each', async () => {
    const by = await shop.aViewer();
    await shop.sql(
      "INSERT INTO post (doc_id, workspace_id, creator_id, stored_state, type) SELECT lpad(to_hex(n), 24, '0'), $1, $2, 21, 'status' FROM generate_series(1, 1200) n",
      by.workspace.id,
      by.user.id,
    );
    const seen: number[] = [];
    await deletions.deleteWorkspace(by.workspace.id, (done) => {
      seen.push(Math.round(done * 100));
    });
    expect(seen).toEqual([42, 83, 100]);
    expect(await count('post WHERE workspace_id = $1', by.workspace.id)).toBe(0);
  });

  it('has no members after an interrupted deletion, which continues when it is started again', async () => {
    const { workspaceId, emil } = await aBusyWorkspace();
    await expect(
      deletions.deleteWorkspace(workspaceId, () => {
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await isMember(emil)).toBe(0);
    expect(await deletions.workspace(workspaceId)).toMatchObject({ members: 0 });
    await deletions.deleteWorkspace(workspaceId, ignoreProgress);
    expect(await deletions.workspace(workspaceId)).toBeNull();
  });

  it('that does not exist is null', async () => {
    expect(await deletions.workspace('wks_none')).toBeNull();
  });
});

describe('a user', () => {
  it('is deleted with keys, memberships and private drafts; remaining records have no name', async () => {
    const { workspaceId, olga, emil, live, draft } = await aBusyWorkspace();
    const namesake = await shop.aViewer({ name: 'Emil' });
    expect(await deletions.user(emil.user.id)).toEqual({
      id: emil.user.id,
      name: 'Emil',
      email: `${emil.user.id}@example.com`,
      ownedWorkspaces: [],
      keys: 1,
      memberships: 1,
      posts: 4,
      privateDrafts: 1,
    });
    expect(await deletions.deleteUser(emil.user.id, { posts: false }, ignoreProgress)).toEqual({
      remaining: true,
    });
    expect(renewed).toEqual([emil.user.id]);
    expect(
      await shop.sql('SELECT name, email, picture, plan FROM app_user WHERE id = $1', emil.user.id),
    ).toEqual([
      { name: DELETED_USER, email: `${emil.user.id}@deleted.invalid`, picture: null, plan: 'free' },
    ]);
    expect([
      await isMember(emil),
      await count('api_key WHERE user_id = $1', emil.user.id),
      await count('post WHERE id = $1', draft.databaseId),
    ]).toEqual([0, 0, 0]);
    expect((await shop.storedPost(olga, live.id)).user).toEqual({
      id: emil.user.id,
      name: DELETED_USER,
      picture: null,
    });
    expect(
      await shop.sql(
        'SELECT DISTINCT message FROM notification WHERE workspace_id = $1',
        workspaceId,
      ),
    ).toEqual([{ message: `${DELETED_USER} asks for your approval of a post.` }]);
    expect(await deletions.user(namesake.user.id)).toMatchObject({ name: 'Emil', keys: 1 });
  });

  it('is deleted with all posts on request, completely if the user changed no posts of others', async () => {
    const { workspaceId, emil, live } = await aBusyWorkspace();
    const others = await count(
      'post WHERE workspace_id = $1 AND creator_id <> $2',
      workspaceId,
      emil.user.id,
    );
    expect(await deletions.deleteUser(emil.user.id, { posts: true }, ignoreProgress)).toEqual({
      remaining: false,
    });
    expect(await deletions.user(emil.user.id)).toBeNull();
    expect(await count('post WHERE id = $1', live.databaseId)).toBe(0);
    expect(await count('post WHERE workspace_id = $1', workspaceId)).toBe(others);
  });

  it('who changed a post of another user remains as a record without a name', async () => {
    const by = await shop.aViewer();
    const admin = await shop.aViewer({ workspaceId: by.workspace.id, role: 'admin', name: 'Ann' });
    const post = await shop.aPost({ by });
    updatedPost(await shop.update(admin, post, { text: 'Better' }));
    expect(await deletions.deleteUser(admin.user.id, { posts: true }, ignoreProgress)).toEqual({
      remaining: true,
    });
    expect((await shop.storedPost(by, post.id)).text).toBe('Better');
    expect(await deletions.user(admin.user.id)).toMatchObject({
      name: DELETED_USER,
      memberships: 0,
      keys: 0,
    });
  });
});
