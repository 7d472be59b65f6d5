import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import { refusalsOf, updatedPost, withServices } from '../../fixtures/services.js';
const services = withServices();

/** Without what a dry run cannot show: the IDs of new records, and the job. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/"dry_run_(?:(l)abel|(m)edia)_1"|"(?:(l)bl|(m)ed)_[0-9A-Za-z]+"/g, '"$1$2$3$4"')
      .replace(/"jobId":(?:null|"job_\w+")/g, '"jobId":"job"'),
  );

test('a dry run answers as the change would, and leaves every table as it was', async () => {
  const workspace = await services.aWorkspace({ requiresApproval: true });
  const owner = await services.aViewer({
    workspaceId: workspace.id,
    userId: workspace.ownerId,
    role: 'owner',
  });
  const editor = await services.aViewer({ workspaceId: workspace.id, postActions: true });
  const account = await services.anAccount({ workspaceId: workspace.id, network: 'linkedin' });
  const cases: [typeof owner, Parameters<typeof services.aPost>[0], PostPatch][] = [
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
    [owner, { by: owner, account, storedState: 'published_posted' }, { text: 'Live' }],
    [
      owner,
      { by: owner, storedState: 'draft_undated' },
      { scheduledAt: new Date('2026-12-24T00:00:00Z') },
    ],
  ];
  for (const [viewer, brief, patch] of cases) {
    const post = await services.aPost(brief);
    const before = await services.allRows();
    const dry = await services.update(viewer, post, patch, { dryRun: true, idempotencyKey: 'dry' });
    expect(await services.allRows()).toEqual(before);
    expect(dry).toMatchObject({ kind: 'updated', job: null, replayed: false });
    expect(comparable(updatedPost(dry))).toEqual(
      comparable(updatedPost(await services.update(viewer, post, patch))),
    );
  }
});

test('a dry run refuses what the change would be refused for', async () => {
  const viewer = await services.aViewer();
  const account = await services.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'google',
    type: 'location',
  });
  for (let n = 0; n < 15; n++)
    await services.aPost({ by: viewer, account, scheduledAt: new Date('2026-12-01T12:00:00Z') });
  const post = await services.aPost({
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
    expect(refusalsOf(await services.update(viewer, post, patch, { dryRun: true }))).toEqual(
      refusalsOf(await services.update(viewer, post, patch)),
    );
  }
  expect(
    refusalsOf(
      await services.update(viewer, post, { text: 'x' }, { dryRun: true, expectedVersion: 2 }),
    ),
  ).toEqual(['CONFLICT expectedVersion']);
});

test('a dry run of a deletion returns the result for each id, and deletes nothing', async () => {
  const viewer = await services.aViewer();
  const [post, pending, queued] = [
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer, storedState: 'scheduled_pending' }),
    await services.aPost({ by: viewer, queuedAt: new Date() }),
  ];
  const ids = [post.id, pending.id, queued.id, '1'.repeat(24)];
  const before = await services.allRows();
  const dry = await services.remove(viewer, ids, { dryRun: true, idempotencyKey: 'dry' });
  expect(await services.allRows()).toEqual(before);
  expect(dry).toEqual(await services.remove(viewer, ids));
});
