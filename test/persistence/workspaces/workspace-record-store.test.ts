import { createWorkspaceData, readAllPages, type WorkspaceData } from './workspace-data.js';
import type { Slice } from '../../../src/domain/workspaces/workspace-records.js';

let db: WorkspaceData['db'];
let records: WorkspaceData['records'];
let workspaceRecords: WorkspaceData['workspaceRecords'];
let olga: WorkspaceData['olga'];
let emil: WorkspaceData['emil'];
let stan: WorkspaceData['stan'];
let workspaceId: string;
let otherWorkspaceId: string;
let owner: string;
let editor: string;
let otherUser: string;

beforeAll(async () => {
  ({ db, records, workspaceRecords, olga, emil, stan, workspaceId, otherWorkspaceId } =
    await createWorkspaceData());
  [owner, editor, otherUser] = [olga.user.id, emil.user.id, stan.user.id];
});
afterAll(() => db.drop());

describe('workspaces and members', () => {
  it('are those of the user, with the plan of the owner', async () => {
    expect(await workspaceRecords.workspacesOf(editor)).toEqual([
      {
        id: workspaceId,
        name: 'Kiosk',
        picture: null,
        plan: 'business',
        timeZone: 'Europe/Berlin',
        requiresApproval: true,
        locked: false,
      },
    ]);
    expect(await workspaceRecords.workspacesOf(otherUser)).toMatchObject([
      { id: otherWorkspaceId, plan: 'free' },
    ]);
  });

  it('are listed for several workspaces with one call', async () => {
    const members = await workspaceRecords.membersOf([workspaceId, otherWorkspaceId, 'wks_none']);
    expect(members.get(workspaceId)).toEqual([
      {
        user: { id: owner, name: 'Olga', picture: null },
        role: 'owner',
        postActions: false,
        email: `${owner}@example.com`,
      },
      {
        user: { id: editor, name: 'Emil', picture: null },
        role: 'editor',
        postActions: true,
        email: `${editor}@example.com`,
      },
    ]);
    expect(members.get('wks_none')).toEqual([]);
  });

  it('include members and creators of posts', async () => {
    expect([
      ...(await workspaceRecords.usersById(workspaceId, [owner, otherUser, 'usr_\u0000'])).keys(),
    ]).toEqual([owner]);
    await records.aPost({
      by: { ...stan, workspace: olga.workspace },
      storedState: 'draft_undated',
    });
    expect((await workspaceRecords.usersById(workspaceId, [otherUser])).get(otherUser)).toEqual({
      id: otherUser,
      name: 'Stan',
      picture: null,
    });
  });

  it('approve as owner or admin', async () => {
    const anna = await records.aViewer({ workspaceId, role: 'admin', name: 'Anna' });
    expect(new Set(await workspaceRecords.approvers(workspaceId))).toEqual(
      new Set([owner, anna.user.id]),
    );
  });
});

describe('accounts', () => {
  const account = (workspaceId: string, id: string, network: 'mastodon' | 'telegram') =>
    db.prisma.account.create({
      data: {
        id,
        workspaceId,
        network,
        type: network === 'mastodon' ? 'profile' : 'channel',
        name: id,
        socialId: id,
        createdAt: new Date(0),
      },
    });
  beforeAll(async () => {
    for (const id of ['acc_1', 'acc_2', 'acc_3'])
      await account(workspaceId, id, id === 'acc_3' ? 'telegram' : 'mastodon');
    await account(otherWorkspaceId, 'acc_4', 'mastodon');
  });

  it('are listed by page and network', async () => {
    const names = async (...rest: [('mastodon' | 'telegram')[] | null, number, number]) =>
      (await workspaceRecords.accounts(workspaceId, ...rest)).map(({ id }) => id);
    expect(await names(null, 2, 0)).toEqual(['acc_1', 'acc_2']);
    expect(await names(null, 2, 2)).toEqual(['acc_3']);
    expect(await names(['telegram'], 10, 0)).toEqual(['acc_3']);
    expect(await names([], 10, 0)).toEqual([]);
  });

  it('of another workspace are unknown', async () => {
    expect([
      ...(await workspaceRecords.accountsById(workspaceId, ['acc_4', 'acc_1'])).values(),
    ]).toEqual([
      {
        id: 'acc_1',
        type: 'profile',
        name: 'acc_1',
        picture: null,
        network: 'mastodon',
        socialId: 'acc_1',
        needsReauth: false,
        sandbox: false,
      },
    ]);
  });

  it('have cap slots since a time', async () => {
    const { databaseId: postId } = await records.aPost({ by: olga, storedState: 'draft_undated' });
    const at = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'].map((text) => new Date(text));
    await db.prisma.capSlot.createMany({
      data: at.map((time) => ({ accountId: 'acc_1', postKind: 'post', at: time, postId })),
    });
    expect(await workspaceRecords.capSlots(['acc_1', 'acc_2'], at[1]!)).toEqual([
      { accountId: 'acc_1', postKind: 'post', at: at[1] },
    ]);
  });
});

describe('labels', () => {
  const names = ['Ärger', 'apple', 'Zebra', 'banana', 'Öl', '桜', 'B'];
  beforeAll(() =>
    db.prisma.label.createMany({
      data: [
        ...names.map((name, i) => ({
          id: `lbl_${i}`,
          workspaceId,
          name,
          nameKey: name.toLowerCase(),
        })),
        { id: 'lbl_other', workspaceId: otherWorkspaceId, name: 'a', nameKey: 'a' },
      ],
    }),
  );

  it.each([1, 2, 3, 7, 20])(
    'are listed in pages of %i, in the same order from both ends',
    async (limit) => {
      const read = (slice: Slice) => workspaceRecords.labels(olga, slice);
      const forward = await readAllPages(read, ({ name }) => name, { limit, fromEnd: false });
      expect(forward).toHaveLength(names.length);
      expect(new Set(forward).size).toBe(names.length);
      expect(forward.indexOf('lbl_1')).toBeLessThan(forward.indexOf('lbl_3'));
      expect(await readAllPages(read, ({ name }) => name, { limit, fromEnd: true })).toEqual(
        forward,
      );
      expect(await workspaceRecords.countLabels(olga)).toBe(names.length);
    },
  );

  it('continue after the cursor if a label is added in between', async () => {
    const first = await workspaceRecords.labels(stan, { limit: 1, fromEnd: false });
    await db.prisma.label.create({
      data: { id: 'lbl_new', workspaceId: otherWorkspaceId, name: 'A0', nameKey: 'a0' },
    });
    const next = await workspaceRecords.labels(stan, {
      limit: 1,
      fromEnd: false,
      after: { sortValue: first.items[0]!.name, id: first.items[0]!.id },
    });
    expect(next).toEqual({
      items: [{ id: 'lbl_new', name: 'A0', color: '#808080' }],
      hasNextPage: false,
      hasPreviousPage: true,
    });
  });

  it('of another workspace are unknown', async () => {
    expect([...(await workspaceRecords.labelsById(olga, ['lbl_other', 'lbl_0'])).keys()]).toEqual([
      'lbl_0',
    ]);
  });

  it('that only private drafts of other users have are not visible', async () => {
    const [inDraft, inBoth, unused] = [
      await records.aLabel({ workspaceId, name: 'secret' }),
      await records.aLabel({ workspaceId, name: 'shared' }),
      await records.aLabel({ workspaceId, name: 'unused' }),
    ];
    const labels = [inDraft, inBoth];
    await records.aPost({ by: emil, storedState: 'draft_private_undated', labels });
    await records.aPost({ by: olga, labels: [inBoth] });
    const created = [inDraft, inBoth, unused].map(({ id }) => id);
    const seenBy = async (viewer: typeof olga) => {
      const { items } = await workspaceRecords.labels(viewer, { limit: 50, fromEnd: false });
      expect(await workspaceRecords.countLabels(viewer)).toBe(items.length);
      const listed = items.map(({ id }) => id).filter((id) => created.includes(id));
      expect([...(await workspaceRecords.labelsById(viewer, created)).keys()].sort()).toEqual(
        listed.toSorted(),
      );
      return listed;
    };
    expect(await seenBy(emil)).toEqual(created);
    expect(await seenBy(olga)).toEqual([inBoth.id, unused.id]);

    await records.aPost({ by: olga, storedState: 'draft_private_undated', labels: [inDraft] });
    expect(await seenBy(olga)).toEqual(created);
  });
});
