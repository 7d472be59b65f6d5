import type { PostPatch } from '../../src/domain/posts/post.js';
import { aWorkshop, refused, updated, type Workshop } from '../fixtures/services.js';

let shop: Workshop;
beforeAll(async () => {
  shop = await aWorkshop();
});
afterAll(() => shop.database.drop());

/** What differs between a rehearsal and the change itself: ids that are made anew, and what is not made at all. */
const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/"(lbl|med|job)_[0-9A-Za-z]+"/g, '"$1"'));

test('a dry run answers as the change would, and leaves every table as it was', async () => {
  const workspace = await shop.aWorkspace({ requiresApproval: true });
  const owner = await shop.aViewer({
    workspaceId: workspace.id,
    userId: workspace.ownerId,
    role: 'owner',
  });
  const editor = await shop.aViewer({ workspaceId: workspace.id, postActions: true });
  const account = await shop.anAccount({ workspaceId: workspace.id, network: 'linkedin' });
  const cases: [typeof owner, Parameters<typeof shop.aPost>[0], PostPatch][] = [
    [
      owner,
      { by: owner, account },
      {
        text: 'New',
        labels: [{ name: 'fresh' }],
        media: [{ path: 'https://example.com/x.jpg', inLibrary: true }],
      },
    ],
    [editor, { by: owner, account }, { title: 'Waits' }],
    [owner, { by: owner, account }, { recurring: { repeat: 'daily', endDate: '2026-11-25' } }],
    [owner, { by: owner, account, cell: 'published_posted' }, { text: 'Live' }],
    [
      owner,
      { by: owner, cell: 'draft_undated' },
      { scheduledAt: new Date('2026-12-24T00:00:00Z') },
    ],
  ];
  for (const [viewer, brief, patch] of cases) {
    const post = await shop.aPost(brief);
    const before = await shop.everything();
    const dry = await shop.update(viewer, post, patch, { dryRun: true, idempotencyKey: 'dry' });
    expect(await shop.everything()).toEqual(before);
    expect(dry).toMatchObject({ kind: 'updated', job: null, replayed: false });
    expect(comparable(updated(dry))).toEqual(
      comparable(updated(await shop.update(viewer, post, patch))),
    );
  }
});

test('a dry run refuses what the change would be refused for', async () => {
  const viewer = await shop.aViewer();
  const account = await shop.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'google',
    type: 'location',
  });
  for (let n = 0; n < 15; n++)
    await shop.aPost({ by: viewer, account, scheduledAt: new Date('2026-12-01T12:00:00Z') });
  const post = await shop.aPost({
    by: viewer,
    account,
    scheduledAt: new Date('2027-01-01T12:00:00Z'),
  });
  const patches: PostPatch[] = [
    { scheduledAt: new Date('2026-12-01T13:00:00Z') },
    { media: [{ id: 'med_nobodys' }] },
    { type: 'poll' },
  ];
  for (const patch of patches) {
    expect(refused(await shop.update(viewer, post, patch, { dryRun: true }))).toEqual(
      refused(await shop.update(viewer, post, patch)),
    );
  }
  expect(
    refused(await shop.update(viewer, post, { text: 'x' }, { dryRun: true, expectedVersion: 2 })),
  ).toEqual(['CONFLICT expectedVersion']);
});

test('a dry deletion says what would become of each id, and deletes nothing', async () => {
  const viewer = await shop.aViewer();
  const [post, pending, queued] = [
    await shop.aPost({ by: viewer }),
    await shop.aPost({ by: viewer, cell: 'scheduled_pending' }),
    await shop.aPost({ by: viewer, queuedAt: new Date() }),
  ];
  const ids = [post.id, pending.id, queued.id, '1'.repeat(24)];
  const before = await shop.everything();
  const dry = await shop.remove(viewer, ids, { dryRun: true, idempotencyKey: 'dry' });
  expect(await shop.everything()).toEqual(before);
  expect(dry).toEqual(await shop.remove(viewer, ids));
});
