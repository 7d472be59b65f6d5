import { EMPTY_CHANGE } from '../../../src/domain/changes/change.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import type { DeleteRequest } from '../../../src/services/posts/delete-posts.js';
import { toActor } from '../../../src/domain/access/viewer.js';
import { eventsOfWorkspace, withoutEvents, type EventRow } from '../../fixtures/event-rows.js';
import { updatedPost, withServices } from '../../fixtures/services.js';
import type { KeyedViewer } from '../../fixtures/records.js';

const services = withServices();

const eventsOf = ({ workspace }: KeyedViewer): Promise<EventRow[]> =>
  eventsOfWorkspace(services.database.pool, workspace.id);
/** The events that `work` writes. */
async function newEvents(viewer: KeyedViewer, work: () => Promise<unknown>): Promise<EventRow[]> {
  const { length } = await eventsOf(viewer);
  await work();
  return (await eventsOf(viewer)).slice(length);
}

async function aPost(by: KeyedViewer, storedState: StoredState = 'scheduled') {
  const account = await services.anAccount({ workspaceId: by.workspace.id });
  return services.aPost({ by, account, storedState });
}

test('an update writes its event: who changed which fields of which version, when and through which API', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  const events = await newEvents(viewer, () =>
    services.update({ ...viewer, api: 'rest' }, post, { text: 'New', title: 'Title' }),
  );
  expect(events).toEqual([
    {
      type: 'post.updated',
      documentId: post.id,
      accountId: post.accountId,
      recordId: null,
      version: 2,
      changed: ['text', 'title'],
      before: 'scheduled',
      after: 'scheduled',
      visibleTo: null,
      userId: viewer.user.id,
      keyId: viewer.key.id,
      api: 'rest',
      at: services.clock.now(),
    },
  ]);
});

test('an update with new labels, of a private draft, writes events that only the creator can see', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer, 'draft_private_undated');
  const events = await newEvents(viewer, () =>
    services.update(viewer, post, { labels: [{ name: 'One' }, { name: 'Two' }] }),
  );
  expect(events.map(({ type, changed, visibleTo }) => [type, changed, visibleTo])).toEqual([
    ['label.changed', [], viewer.user.id],
    ['label.changed', [], viewer.user.id],
    ['post.updated', ['labels'], viewer.user.id],
  ]);
});

test('a deletion writes an event for each post, with the version that was deleted', async () => {
  const viewer = await services.aViewer();
  const posts = [await aPost(viewer), await aPost(viewer, 'draft_dated')];
  await services.update(viewer, posts[0]!, { text: 'New' });
  const events = await newEvents(viewer, () =>
    services.remove(
      viewer,
      posts.map(({ id }) => id),
    ),
  );
  expect(
    events.map(({ type, documentId, version, before, after }) => [
      type,
      documentId,
      version,
      before,
      after,
    ]),
  ).toEqual([
    ['post.deleted', posts[0]!.id, 2, 'scheduled', null],
    ['post.deleted', posts[1]!.id, 1, 'draft_dated', null],
  ]);
});

test('a deletion writes the same events in one statement as in a transaction, which records its outcome', async () => {
  const viewer = await services.aViewer();
  const deletionEvents = async (more: Partial<DeleteRequest> = {}) => {
    const posts = [
      await aPost(viewer, 'published_posted'),
      await aPost(viewer, 'draft_private_undated'),
      await aPost(viewer, 'recurring'),
    ];
    const ids = posts.map(({ id }) => id);
    const events = await newEvents(viewer, () => services.remove(viewer, ids, more));
    return events.map((event) => ({
      ...event,
      documentId: ids.indexOf(event.documentId!),
      accountId: posts.findIndex(({ accountId }) => accountId === event.accountId),
    }));
  };
  const events = await deletionEvents();
  expect(events.map(({ visibleTo }) => visibleTo)).toEqual([null, viewer.user.id, null]);
  expect(events).toEqual(await deletionEvents({ idempotencyKey: 'key' }));
});

test('occurrences that become independent posts have an event, whether their series ends or is deleted', async () => {
  const viewer = await services.aViewer();
  const account = await services.anAccount({ workspaceId: viewer.workspace.id });
  const seriesWithPublishedChild = async () => {
    const series = await services.aPost({
      by: viewer,
      account,
      storedState: 'recurring',
      recurring: { repeat: 'daily', startDate: '2026-11-22' },
    });
    const child = await services.aPost({
      by: viewer,
      account,
      storedState: 'published_posted',
      parentId: series.databaseId,
    });
    return { series, child };
  };
  const [ended, deleted] = [await seriesWithPublishedChild(), await seriesWithPublishedChild()];
  const events = await newEvents(viewer, async () => {
    updatedPost(await services.update(viewer, ended.series, { recurring: null }));
    await services.remove(viewer, [deleted.series.id]);
  });
  for (const { child } of [ended, deleted])
    expect(events.filter(({ documentId }) => documentId === child.id)).toEqual([
      expect.objectContaining({
        type: 'post.updated',
        version: 1,
        changed: ['parent'],
        before: 'published_posted',
        after: 'published_posted',
        userId: viewer.user.id,
        at: services.clock.now(),
      }),
    ]);
});

test('a dry run, an update without effect, a refused change and a replayed request write no event', async () => {
  const viewer = await services.aViewer();
  const reader = await services.aViewer({ workspaceId: viewer.workspace.id, role: 'viewer' });
  const post = await aPost(viewer);
  const once = { idempotencyKey: 'k' };
  await services.update(viewer, post, { text: 'New' }, once);
  await services.remove(viewer, [(await aPost(viewer)).id], once);
  const events = await newEvents(viewer, async () => {
    await services.update(viewer, post, { text: 'Other' }, { dryRun: true });
    await services.update(viewer, post, { labels: [{ name: 'Other' }] }, { dryRun: true });
    await services.remove(viewer, [post.id], { dryRun: true });
    await services.update(viewer, post, { text: 'New' });
    await services.update(viewer, post, { text: 'Other' }, { expectedVersion: 1 });
    await services.update(reader, post, { text: 'Other' });
    await services.remove(reader, [post.id]);
    expect(await services.update(viewer, post, { text: 'New' }, once)).toMatchObject({
      replayed: true,
    });
  });
  expect(events).toEqual([]);
});

test('a change whose event cannot be written is not saved, in one statement or in several', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  const before = await services.allRows();
  await withoutEvents(services.database.pool, async () => {
    for (const change of [
      () => services.update(viewer, post, { text: 'New' }),
      () => services.update(viewer, post, { text: 'New' }, { idempotencyKey: 'k' }),
      () => services.update(viewer, post, { text: 'New', labels: [{ name: 'New' }] }),
      () => services.remove(viewer, [post.id]),
    ])
      await expect(change()).rejects.toThrow('violates check constraint "no_event"');
  });
  expect(await services.allRows()).toEqual(before);
});

test('a conflict writes no event: another process saved first', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  const { store, clock } = services;
  const outdated = { ...post, version: 7 };
  const change = {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at: clock.now(),
  };
  const events = await newEvents(viewer, async () => {
    for (const write of [
      {
        kind: 'update',
        before: outdated,
        after: { ...outdated, text: 'New', version: 8 },
        changed: ['text'],
        slots: null,
      },
      { kind: 'delete', before: outdated },
    ] as const)
      expect(await store.save({ ...change, posts: [write] })).toEqual({ kind: 'conflict' });
  });
  expect(events).toEqual([]);
});

test('events of one transaction have its number, and keep the order of the change', async () => {
  const viewer = await services.aViewer();
  const posts = [await aPost(viewer), await aPost(viewer), await aPost(viewer)];
  await services.remove(
    viewer,
    posts.map(({ id }) => id),
  );
  const rows = await services.sql<{ doc_id: string; transactions: number }>(
    'SELECT doc_id, count(*) OVER (PARTITION BY transaction_id)::int AS transactions FROM event ' +
      "WHERE workspace_id = $1 AND type = 'post.deleted' ORDER BY transaction_id, sequence",
    viewer.workspace.id,
  );
  expect(rows).toEqual(posts.map(({ id }) => ({ doc_id: id, transactions: 3 })));
});
