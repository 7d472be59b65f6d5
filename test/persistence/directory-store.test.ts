import { createDirectoryStore } from '../../src/persistence/directory/directory-store.js';
import type { DirectoryStore, Slice, SlicePage, SlicePosition } from '../../src/services/ports.js';
import type { Cell } from '../../src/domain/posts/states.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { recordsIn, type Records } from '../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

let db: TestDatabase;
let records: Records;
let directory: DirectoryStore;
let olga: Viewer;
let emil: Viewer;
let stan: Viewer;
let owner: string;
let editor: string;
let stranger: string;
let here: string;
let elsewhere: string;

beforeAll(async () => {
  db = await testDatabase();
  records = recordsIn(db);
  directory = createDirectoryStore(db.prisma, db.pool);
  const workspace = await records.aWorkspace({ requiresApproval: true });
  olga = await records.aViewer({
    workspaceId: workspace.id,
    userId: workspace.ownerId,
    role: 'owner',
  });
  emil = await records.aViewer({
    workspaceId: workspace.id,
    role: 'editor',
    postActions: true,
    name: 'Emil',
  });
  stan = await records.aViewer({ name: 'Stan', plan: 'free' });
  [owner, editor, stranger] = [olga.user.id, emil.user.id, stan.user.id];
  [here, elsewhere] = [olga.workspace.id, stan.workspace.id];
});
afterAll(() => db.drop());

/** Walks a list window by window from one end and gives the ids in the list's order. */
async function walk<T extends { id: string }>(
  read: (slice: Slice) => Promise<SlicePage<T>>,
  at: (item: T) => string,
  limit: number,
  fromEnd: boolean,
): Promise<string[]> {
  const walked: string[] = [];
  for (let position: SlicePosition | undefined, more = true; more;) {
    const page = await read({
      limit,
      fromEnd,
      ...(position && { [fromEnd ? 'before' : 'after']: position }),
    });
    expect(fromEnd ? page.hasNextPage : page.hasPreviousPage).toBe(position !== undefined);
    const found = page.items.map(({ id }) => id);
    walked.splice(fromEnd ? 0 : walked.length, 0, ...found);
    const edge = fromEnd ? page.items[0] : page.items.at(-1);
    position = edge && { at: at(edge), id: edge.id };
    more = fromEnd ? page.hasPreviousPage : page.hasNextPage;
  }
  return walked;
}

describe('workspaces and their people', () => {
  it('are those of the user, with the plan of the owner', async () => {
    expect(await directory.workspacesOf(editor)).toEqual([
      {
        id: here,
        name: 'Kiosk',
        picture: null,
        plan: 'business',
        timeZone: 'Europe/Berlin',
        requiresApproval: true,
      },
    ]);
    expect(await directory.workspacesOf(stranger)).toMatchObject([{ id: elsewhere, plan: 'free' }]);
  });

  it('are listed for many workspaces at once', async () => {
    const members = await directory.membersOf([here, elsewhere, 'wks_none']);
    expect(members.get(here)).toEqual([
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

  it('are known where they are members or have made posts', async () => {
    expect([...(await directory.usersById(here, [owner, stranger, 'usr_\u0000'])).keys()]).toEqual([
      owner,
    ]);
    await records.aPost({ by: { ...stan, workspace: olga.workspace }, cell: 'draft_undated' });
    expect((await directory.usersById(here, [stranger])).get(stranger)).toEqual({
      id: stranger,
      name: 'Stan',
      picture: null,
    });
  });

  it('may approve as owner or admin', async () => {
    const anna = await records.aViewer({ workspaceId: here, role: 'admin', name: 'Anna' });
    expect(new Set(await directory.approvers(here))).toEqual(new Set([owner, anna.user.id]));
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
      await account(here, id, id === 'acc_3' ? 'telegram' : 'mastodon');
    await account(elsewhere, 'acc_4', 'mastodon');
  });

  it('are listed by page and network', async () => {
    const names = async (...rest: [('mastodon' | 'telegram')[] | null, number, number]) =>
      (await directory.accounts(here, ...rest)).map(({ id }) => id);
    expect(await names(null, 2, 0)).toEqual(['acc_1', 'acc_2']);
    expect(await names(null, 2, 2)).toEqual(['acc_3']);
    expect(await names(['telegram'], 10, 0)).toEqual(['acc_3']);
    expect(await names([], 10, 0)).toEqual([]);
  });

  it('of another workspace are unknown', async () => {
    expect([...(await directory.accountsById(here, ['acc_4', 'acc_1'])).values()]).toEqual([
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

  it('have cap slots from a time on', async () => {
    const { databaseId: postId } = await records.aPost({ by: olga, cell: 'draft_undated' });
    const at = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'].map((text) => new Date(text));
    await db.prisma.capSlot.createMany({
      data: at.map((time) => ({ accountId: 'acc_1', postKind: 'post', at: time, postId })),
    });
    expect(await directory.capSlots(['acc_1', 'acc_2'], at[1]!)).toEqual([
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
          workspaceId: here,
          name,
          nameKey: name.toLowerCase(),
        })),
        { id: 'lbl_other', workspaceId: elsewhere, name: 'a', nameKey: 'a' },
      ],
    }),
  );

  it.each([1, 2, 3, 7, 20])('come %i at a time, in one order from both ends', async (limit) => {
    const read = (slice: Slice) => directory.labels(here, slice);
    const forward = await walk(read, ({ name }) => name, limit, false);
    expect(forward).toHaveLength(names.length);
    expect(new Set(forward).size).toBe(names.length);
    expect(forward.indexOf('lbl_1')).toBeLessThan(forward.indexOf('lbl_3'));
    expect(await walk(read, ({ name }) => name, limit, true)).toEqual(forward);
    expect(await directory.countLabels(here)).toBe(names.length);
  });

  it('go on where they were when one comes in between', async () => {
    const first = await directory.labels(elsewhere, { limit: 1, fromEnd: false });
    await db.prisma.label.create({
      data: { id: 'lbl_new', workspaceId: elsewhere, name: 'A0', nameKey: 'a0' },
    });
    const next = await directory.labels(elsewhere, {
      limit: 1,
      fromEnd: false,
      after: { at: first.items[0]!.name, id: first.items[0]!.id },
    });
    expect(next).toEqual({
      items: [{ id: 'lbl_new', name: 'A0', color: '#808080' }],
      hasNextPage: false,
      hasPreviousPage: true,
    });
  });

  it('of another workspace are unknown', async () => {
    expect([...(await directory.labelsById(here, ['lbl_other', 'lbl_0'])).keys()]).toEqual([
      'lbl_0',
    ]);
  });
});

describe('media', () => {
  it('of the library come newest first, from both ends, ties included', async () => {
    const times = ['2026-01-03', '2026-01-01', '2026-01-03', '2026-01-02', '2026-01-03'].map(
      (day) => new Date(day),
    );
    for (const time of times) await records.aMedia({ workspaceId: here, createdAt: time });
    await records.aMedia({ workspaceId: here, inLibrary: false });
    await records.aMedia({ workspaceId: elsewhere });
    const all = await directory.media(here, { limit: 10, fromEnd: false });
    expect(all.items.map(({ createdAt }) => createdAt.getUTCDate())).toEqual([3, 3, 3, 2, 1]);
    for (const fromEnd of [false, true]) {
      const walked = await walk(
        (slice) => directory.media(here, slice),
        ({ createdAt }) => createdAt.toISOString(),
        2,
        fromEnd,
      );
      expect(walked).toEqual(all.items.map(({ id }) => id));
    }
    expect((await directory.mediaPage(here, 2, 3)).map(({ id }) => id)).toEqual(
      all.items.slice(3).map(({ id }) => id),
    );
    expect(await directory.countMedia(here)).toBe(5);
  });

  it('are seen where they are on a post that is seen', async () => {
    const on = async (by: Viewer, cell: Cell) => {
      const media = await records.aMedia({ workspaceId: by.workspace.id, inLibrary: false });
      return { post: await records.aPost({ by, cell, media: [media] }), mediaId: media.id };
    };
    const shown = await on(olga, 'draft_public_undated');
    const secret = await on(olga, 'draft_private_undated');
    const mine = await on(emil, 'draft_private_undated');
    const deleted = await on(olga, 'draft_undated');
    await db.prisma.post.update({
      where: { id: deleted.post.databaseId },
      data: { deletedAt: new Date() },
    });
    const foreign = await on({ ...emil, workspace: stan.workspace }, 'draft_undated');
    const { id: loose } = await records.aMedia({ workspaceId: here, inLibrary: false });
    const all = [
      ...[shown, secret, mine, deleted, foreign].map(({ mediaId }) => mediaId),
      loose,
      'med_\u0000',
    ];
    expect(new Set((await directory.mediaById(emil, all)).keys())).toEqual(
      new Set([shown.mediaId, mine.mediaId]),
    );
    expect(new Set((await directory.mediaById(olga, all)).keys())).toEqual(
      new Set([shown.mediaId, secret.mediaId]),
    );
  });

  it('are seen where a post that is seen features them', async () => {
    const featured = async (cell: Cell) => {
      const featuredMedia = await records.aMedia({ workspaceId: here, inLibrary: false });
      await records.aPost({ by: olga, cell, featuredMedia });
      return featuredMedia.id;
    };
    const [shown, secret] = [
      await featured('draft_undated'),
      await featured('draft_private_undated'),
    ];
    expect([...(await directory.mediaById(emil, [shown, secret])).values()]).toEqual([
      {
        id: shown,
        type: 'photo',
        url: `https://media.example.com/${shown}.jpg`,
        altText: null,
        title: null,
      },
    ]);
  });
});

describe('notifications', () => {
  it('are the viewer’s own in this workspace, newest first from both ends', async () => {
    const { databaseId: postId } = await records.aPost({ by: olga, cell: 'draft_undated' });
    const made = (id: string, userId: string, workspaceId: string, day: number) => ({
      id,
      userId,
      workspaceId,
      kind: 'approval_requested',
      message: id,
      createdAt: new Date(Date.UTC(2026, 0, day)),
      ...(day === 1 && { postId }),
    });
    await db.prisma.notification.createMany({
      data: [
        made('ntf_1', editor, here, 1),
        made('ntf_2', editor, here, 2),
        made('ntf_3', editor, here, 2),
        made('ntf_4', owner, here, 3),
        made('ntf_5', editor, elsewhere, 3),
      ],
    });
    for (const fromEnd of [false, true]) {
      expect(
        await walk(
          (slice) => directory.notifications(emil, slice),
          ({ createdAt }) => createdAt.toISOString(),
          1,
          fromEnd,
        ),
      ).toEqual(['ntf_3', 'ntf_2', 'ntf_1']);
    }
    const found = await directory.notificationsById(emil, ['ntf_1', 'ntf_4', 'ntf_5']);
    expect([...found.values()]).toEqual([
      {
        id: 'ntf_1',
        kind: 'approval_requested',
        message: 'ntf_1',
        postId,
        createdAt: new Date('2026-01-01'),
      },
    ]);
  });
});
