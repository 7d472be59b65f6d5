import { createWorkspaceData, readAllPages, type WorkspaceData } from './workspace-data.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';

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

beforeAll(async () => {
  ({ db, records, workspaceRecords, olga, emil, stan, workspaceId, otherWorkspaceId } =
    await createWorkspaceData());
  [owner, editor] = [olga.user.id, emil.user.id];
});
afterAll(() => db.drop());

describe('media', () => {
  it('of the library are listed newest first, from both ends, including ties', async () => {
    const times = ['2026-01-03', '2026-01-01', '2026-01-03', '2026-01-02', '2026-01-03'].map(
      (day) => new Date(day),
    );
    for (const time of times) await records.aMedia({ workspaceId, createdAt: time });
    await records.aMedia({ workspaceId, inLibrary: false });
    await records.aMedia({ workspaceId: otherWorkspaceId });
    const all = await workspaceRecords.media(workspaceId, { limit: 10, fromEnd: false });
    expect(all.items.map(({ createdAt }) => createdAt.getUTCDate())).toEqual([3, 3, 3, 2, 1]);
    for (const fromEnd of [false, true]) {
      const ids = await readAllPages(
        (slice) => workspaceRecords.media(workspaceId, slice),
        ({ createdAt }) => createdAt.toISOString(),
        { limit: 2, fromEnd },
      );
      expect(ids).toEqual(all.items.map(({ id }) => id));
    }
    expect((await workspaceRecords.mediaPage(workspaceId, 2, 3)).map(({ id }) => id)).toEqual(
      all.items.slice(3).map(({ id }) => id),
    );
    expect(await workspaceRecords.countMedia(workspaceId)).toBe(5);
  });

  it('are visible if a visible post contains them', async () => {
    const on = async (by: Viewer, storedState: StoredState) => {
      const media = await records.aMedia({ workspaceId: by.workspace.id, inLibrary: false });
      return { post: await records.aPost({ by, storedState, media: [media] }), mediaId: media.id };
    };
    const shown = await on(olga, 'draft_public_undated');
    const hidden = await on(olga, 'draft_private_undated');
    const own = await on(emil, 'draft_private_undated');
    const deleted = await on(olga, 'draft_undated');
    await db.prisma.post.update({
      where: { id: deleted.post.databaseId },
      data: { deletedAt: new Date() },
    });
    const foreign = await on({ ...emil, workspace: stan.workspace }, 'draft_undated');
    const { id: unused } = await records.aMedia({ workspaceId, inLibrary: false });
    const all = [
      ...[shown, hidden, own, deleted, foreign].map(({ mediaId }) => mediaId),
      unused,
      'med_\u0000',
    ];
    expect(new Set((await workspaceRecords.mediaById(emil, all)).keys())).toEqual(
      new Set([shown.mediaId, own.mediaId]),
    );
    expect(new Set((await workspaceRecords.mediaById(olga, all)).keys())).toEqual(
      new Set([shown.mediaId, hidden.mediaId]),
    );
  });

  it('are visible if a visible post features them', async () => {
    const featured = async (storedState: StoredState) => {
      const featuredMedia = await records.aMedia({ workspaceId, inLibrary: false });
      await records.aPost({ by: olga, storedState, featuredMedia });
      return featuredMedia.id;
    };
    const [shown, hidden] = [
      await featured('draft_undated'),
      await featured('draft_private_undated'),
    ];
    expect([...(await workspaceRecords.mediaById(emil, [shown, hidden])).values()]).toEqual([
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
  it('are those of the viewer in this workspace, newest first from both ends', async () => {
    const { databaseId: postId } = await records.aPost({ by: olga, storedState: 'draft_undated' });
    const notification = (id: string, userId: string, workspaceId: string, day: number) => ({
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
        notification('ntf_1', editor, workspaceId, 1),
        notification('ntf_2', editor, workspaceId, 2),
        notification('ntf_3', editor, workspaceId, 2),
        notification('ntf_4', owner, workspaceId, 3),
        notification('ntf_5', editor, otherWorkspaceId, 3),
      ],
    });
    for (const fromEnd of [false, true]) {
      expect(
        await readAllPages(
          (slice) => workspaceRecords.notifications(emil, slice),
          ({ createdAt }) => createdAt.toISOString(),
          { limit: 1, fromEnd },
        ),
      ).toEqual(['ntf_3', 'ntf_2', 'ntf_1']);
    }
    const found = await workspaceRecords.notificationsById(emil, ['ntf_1', 'ntf_4', 'ntf_5']);
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
