import {
  createRemovals,
  DELETED_USER,
  type Removals,
} from '../../src/persistence/admin/deletion-store.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { aWorkshop, updated, type Workshop } from '../fixtures/services.js';

let shop: Workshop;
let removals: Removals;
let ended: string[];
beforeAll(async () => {
  shop = await aWorkshop({ areDelivered: true });
  removals = createRemovals(shop.database.pool, {
    end: async (ids) => {
      ended.push(...ids);
    },
  });
});
afterAll(() => shop.database.drop());
beforeEach(() => {
  ended = [];
});

const untold = (): void => {};
const count = async (rest: string, ...values: unknown[]): Promise<number> =>
  (await shop.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${rest}`, ...values))[0]!.n;

/** A workspace that requires approval and has something in most tables: Olga may approve, Emil edits. */
async function aBusyWorkspace() {
  const { id: workspaceId, ownerId: userId } = await shop.aWorkspace({ requiresApproval: true });
  const olga = await shop.aViewer({ workspaceId, role: 'admin', name: 'Olga' });
  const emil = await shop.aViewer({ workspaceId, role: 'editor', name: 'Emil' });
  const brief = {
    by: emil,
    labels: [await shop.aLabel({ workspaceId })],
    media: [await shop.aMedia({ workspaceId })],
  };
  const series = await shop.aPost({ ...brief, by: olga, cell: 'recurring' });
  await shop.aPost({ ...brief, by: olga, cell: 'published_posted', parentId: series.databaseId });
  const live = await shop.aPost({ ...brief, cell: 'published_posted' });
  const planned = await shop.aPost(brief);
  const deleted = await shop.aPost(brief);
  const draft = await shop.aPost({ by: emil, cell: 'draft_private_undated' });
  updated(await shop.update(olga, live, { text: 'New' }, { idempotencyKey: 'once' }));
  updated(await shop.update(emil, planned, { text: 'May I?' }));
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
  it('is told with what it holds, and goes with all of it; everything else stays as it is', async () => {
    await aBusyWorkspace();
    const before = await shop.everything();
    const { workspaceId, userId, olga, emil } = await aBusyWorkspace();
    expect(await removals.workspace(workspaceId)).toEqual({
      id: workspaceId,
      name: 'Kiosk',
      posts: 6,
      accounts: 5,
      members: 3,
    });
    expect(await count('job WHERE workspace_id = $1', workspaceId)).toBe(3); // an edit of the network, and two messages
    const seen: number[] = [];
    await removals.removeWorkspace(workspaceId, (done) => {
      seen.push(done);
    });
    expect(seen).toEqual([1]);
    expect(await removals.workspace(workspaceId)).toBeNull();
    expect(ended.sort()).toEqual([userId, olga.user.id, emil.user.id].sort());
    const users = [userId, olga.user.id, emil.user.id];
    await shop.sql('DELETE FROM app_user WHERE id = ANY($1)', users); // to whom nothing refers any more but their keys
    expect(await shop.everything()).toEqual(before);
  });

  it('with many posts goes in batches, and each is told', async () => {
    const by = await shop.aViewer();
    await shop.sql(
      "INSERT INTO post (doc_id, workspace_id, creator_id, cell, type) SELECT lpad(to_hex(n), 24, '0'), $1, $2, 21, 'status' FROM generate_series(1, 1200) n",
      by.workspace.id,
      by.user.id,
    );
    const seen: number[] = [];
    await removals.removeWorkspace(by.workspace.id, (done) => {
      seen.push(Math.round(done * 100));
    });
    expect(seen).toEqual([42, 83, 100]);
    expect(await count('post WHERE workspace_id = $1', by.workspace.id)).toBe(0);
  });

  it('whose removal was cut short is locked to everybody, and goes when it is begun again', async () => {
    const { workspaceId, emil } = await aBusyWorkspace();
    await expect(
      removals.removeWorkspace(workspaceId, () => {
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await isMember(emil)).toBe(0);
    expect(await removals.workspace(workspaceId)).toMatchObject({ members: 0 });
    await removals.removeWorkspace(workspaceId, untold);
    expect(await removals.workspace(workspaceId)).toBeNull();
  });

  it('that is not there is null', async () => {
    expect(await removals.workspace('wks_none')).toBeNull();
  });
});

describe('a user', () => {
  it('goes with keys, memberships and private drafts; what is left in workspaces names nobody', async () => {
    const { workspaceId, olga, emil, live, draft } = await aBusyWorkspace();
    const namesake = await shop.aViewer({ name: 'Emil' });
    expect(await removals.user(emil.user.id)).toEqual({
      id: emil.user.id,
      name: 'Emil',
      email: `${emil.user.id}@example.com`,
      owned: [],
      keys: 1,
      memberships: 1,
      posts: 4,
      privateDrafts: 1,
    });
    expect(await removals.removeUser(emil.user.id, { posts: false }, untold)).toEqual({
      remains: true,
    });
    expect(ended).toEqual([emil.user.id]);
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
    expect((await shop.stored(olga, live.id)).user).toEqual({
      id: emil.user.id,
      name: DELETED_USER,
      picture: null,
    });
    expect(
      await shop.sql(
        'SELECT DISTINCT message FROM notification WHERE workspace_id = $1',
        workspaceId,
      ),
    ).toEqual([{ message: `${DELETED_USER} changed a post that needs your approval.` }]);
    expect(await removals.user(namesake.user.id)).toMatchObject({ name: 'Emil', keys: 1 });
  });

  it('goes with all their posts where that is asked for, and then without a trace, if they changed none of others', async () => {
    const { workspaceId, emil, live } = await aBusyWorkspace();
    const others = await count(
      'post WHERE workspace_id = $1 AND creator_id <> $2',
      workspaceId,
      emil.user.id,
    );
    expect(await removals.removeUser(emil.user.id, { posts: true }, untold)).toEqual({
      remains: false,
    });
    expect(await removals.user(emil.user.id)).toBeNull();
    expect(await count('post WHERE id = $1', live.databaseId)).toBe(0);
    expect(await count('post WHERE workspace_id = $1', workspaceId)).toBe(others);
  });

  it('who changed a post of somebody else remains as a nameless record of that', async () => {
    const by = await shop.aViewer();
    const admin = await shop.aViewer({ workspaceId: by.workspace.id, role: 'admin', name: 'Ann' });
    const post = await shop.aPost({ by });
    updated(await shop.update(admin, post, { text: 'Better' }));
    expect(await removals.removeUser(admin.user.id, { posts: true }, untold)).toEqual({
      remains: true,
    });
    expect((await shop.stored(by, post.id)).text).toBe('Better');
    expect(await removals.user(admin.user.id)).toMatchObject({
      name: DELETED_USER,
      memberships: 0,
      keys: 0,
    });
  });
});
