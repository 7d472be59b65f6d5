import type { Post } from '../../../src/domain/posts/post.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import { moveToState } from '../../fixtures/move-to-state.js';
import { settled } from '../../fixtures/settled.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { NOW, updatedPost, withServices } from '../../fixtures/services.js';

const services = withServices();
beforeEach(() => {
  services.clock.time = NOW;
});

const FIELDS: ReadonlySet<keyof Post> = new Set(['text', 'version', 'labels']);
const read = async (viewer: KeyedViewer, after: string | null, first = 100) => {
  await settled(services.database.pool);
  return services.changes.list(viewer, { after, first, fields: FIELDS });
};
const start = async (viewer: KeyedViewer): Promise<string> => (await read(viewer, null)).nextCursor;
/** Kind, post and version of the changes. */
const since = async (viewer: KeyedViewer, after: string) =>
  (await read(viewer, after)).changes.map(({ kind, postId, version, post }) => [
    kind,
    postId,
    version,
    post?.text,
  ]);

async function aPost(by: KeyedViewer, storedState: StoredState = 'scheduled'): Promise<Post> {
  const account = await services.anAccount({ workspaceId: by.workspace.id });
  return services.aPost({ by, account, storedState, text: 'Old' });
}
const changeText = async (viewer: KeyedViewer, post: Post, text: string): Promise<Post> =>
  updatedPost(await services.update(viewer, post, { text }));
const moveTo = (by: KeyedViewer, { id }: Post, to: StoredState): Promise<void> =>
  moveToState(services.store, by, { id, to });
async function twoMembers(): Promise<[KeyedViewer, KeyedViewer]> {
  const creator = await services.aViewer();
  return [creator, await services.aViewer({ workspaceId: creator.workspace.id, role: 'admin' })];
}

test('without a cursor, it starts with the present: earlier changes do not come', async () => {
  const viewer = await services.aViewer();
  await aPost(viewer);
  const page = await read(viewer, null);
  expect(page).toEqual({ changes: [], nextCursor: expect.any(String), hasMore: false });
  expect(await since(viewer, page.nextCursor)).toEqual([]);
});

test('each post comes once, at its latest change, with its current content', async () => {
  const viewer = await services.aViewer();
  const [one, two] = [await aPost(viewer), await aPost(viewer)];
  const cursor = await start(viewer);
  await changeText(viewer, one, 'A');
  await changeText(viewer, two, 'B');
  await changeText(viewer, one, 'C');
  const three = await aPost(viewer);
  expect(await since(viewer, cursor)).toEqual([
    ['upserted', two.id, 2, 'B'],
    ['upserted', one.id, 3, 'C'],
    ['upserted', three.id, 1, 'Old'],
  ]);
});

test('pages follow each other without a gap, and the last one says that there is no more', async () => {
  const viewer = await services.aViewer();
  let cursor = await start(viewer);
  const draft = () => aPost(viewer, 'draft_dated');
  const posts = [await draft(), await draft(), await draft()];
  const pages = [];
  for (let index = 0; index < 3; index += 1) {
    const page = await read(viewer, cursor, 2);
    cursor = page.nextCursor;
    pages.push([page.changes.map(({ postId }) => postId), page.hasMore]);
  }
  expect(pages).toEqual([
    [[posts[0]!.id, posts[1]!.id], true],
    [[posts[2]!.id], false],
    [[], false],
  ]);
});

test('a deleted post is a deletion, once, also if it was created after the cursor', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  const cursor = await start(viewer);
  const shortLived = await aPost(viewer);
  await changeText(viewer, post, 'New');
  await services.remove(viewer, [post.id, shortLived.id]);
  const page = await read(viewer, cursor);
  expect(page.changes).toEqual([
    { kind: 'deleted', postId: post.id, version: 2, at: NOW, post: null },
    { kind: 'deleted', postId: shortLived.id, version: 1, at: NOW, post: null },
  ]);
  expect(await since(viewer, page.nextCursor)).toEqual([]);
});

test('a post that one page contains is a deletion of the next one, in this order', async () => {
  const viewer = await services.aViewer();
  let cursor = await start(viewer);
  const [post, other] = [await aPost(viewer, 'draft_dated'), await aPost(viewer, 'draft_dated')];
  const seen: unknown[] = [];
  const readPage = async () => {
    const page = await read(viewer, cursor, 1);
    cursor = page.nextCursor;
    seen.push(page.changes.map(({ kind, postId }) => [kind, postId]));
  };
  await readPage();
  await services.remove(viewer, [post.id]);
  for (let index = 0; index < 3; index += 1) await readPage();
  expect(seen).toEqual([
    [['upserted', post.id]],
    [['upserted', other.id]],
    [['deleted', post.id]],
    [],
  ]);
});

test('a deletion comes after its page: the update before it does not announce a post that is gone', async () => {
  const viewer = await services.aViewer();
  const [post, other] = [await aPost(viewer), await aPost(viewer)];
  const cursor = await start(viewer);
  await changeText(viewer, post, 'New');
  await changeText(viewer, other, 'New');
  await services.remove(viewer, [post.id]);
  const first = await read(viewer, cursor, 1);
  expect([first.changes, first.hasMore]).toEqual([[], true]);
  expect(await since(viewer, first.nextCursor)).toEqual([
    ['upserted', other.id, 2, 'New'],
    ['deleted', post.id, 2, undefined],
  ]);
});

test('a page that ends between the two events of a new post loses neither the post nor its deletion', async () => {
  const viewer = await services.aViewer();
  const cursor = await start(viewer);
  const post = await aPost(viewer);
  const first = await read(viewer, cursor, 1);
  expect(first.changes.map(({ kind, postId }) => [kind, postId])).toEqual([['upserted', post.id]]);
  await services.remove(viewer, [post.id]);
  expect(await since(viewer, first.nextCursor)).toEqual([['deleted', post.id, 1, undefined]]);
});

describe('private drafts', () => {
  test('of other members never come, deleted ones included; to their creator they do', async () => {
    const [creator, other] = await twoMembers();
    const [mine, theirs] = [await start(creator), await start(other)];
    const draft = await aPost(creator, 'draft_private_undated');
    const deleted = await aPost(creator, 'draft_private_undated');
    await changeText(creator, draft, 'New');
    const cursor = await start(creator);
    await services.remove(creator, [deleted.id]);
    expect(await since(other, theirs)).toEqual([]);
    const deletion = ['deleted', deleted.id, 1, undefined];
    expect(await since(creator, mine)).toEqual([['upserted', draft.id, 2, 'New'], deletion]);
    expect(await since(creator, cursor)).toEqual([deletion]);
  });

  test('a post that becomes private is deleted for others, once, and comes back with its content', async () => {
    const [creator, other] = await twoMembers();
    const post = await aPost(creator, 'draft_undated');
    const mine = await start(creator);
    let theirs = await start(other);
    await moveTo(creator, post, 'draft_private_undated');
    await changeText(creator, await services.storedPost(creator, post.id), 'Secret');
    const hidden = await read(other, theirs);
    expect(hidden.changes.map(({ kind, version, post: shown }) => [kind, version, shown])).toEqual([
      ['deleted', 2, null],
    ]);
    theirs = hidden.nextCursor;
    expect(await since(creator, mine)).toEqual([['upserted', post.id, 3, 'Secret']]);
    await changeText(creator, await services.storedPost(creator, post.id), 'Shown');
    expect(await since(other, theirs)).toEqual([]);
    await moveTo(creator, post, 'draft_public_undated');
    expect(await since(other, theirs)).toEqual([['upserted', post.id, 5, 'Shown']]);
  });

  test('a draft that was shown and hidden again is deleted for others: they may have read it', async () => {
    const [creator, other] = await twoMembers();
    const draft = await aPost(creator, 'draft_private_undated');
    const [mine, theirs] = [await start(creator), await start(other)];
    await moveTo(creator, draft, 'draft_public_undated');
    await moveTo(creator, draft, 'draft_private_undated');
    const page = await read(other, theirs);
    expect(page.changes).toEqual([
      { kind: 'deleted', postId: draft.id, version: 3, at: expect.any(Date), post: null },
    ]);
    expect(await since(creator, mine)).toEqual([['upserted', draft.id, 3, 'Old']]);
    await changeText(creator, await services.storedPost(creator, draft.id), 'Secret');
    await services.remove(creator, [draft.id]);
    expect(await since(other, page.nextCursor)).toEqual([]);
  });
});

test('an event of a transaction that runs longer than others is not lost', async () => {
  const viewer = await services.aViewer();
  const [slow, quick] = [await aPost(viewer), await aPost(viewer)];
  let cursor = await start(viewer);
  const client = await services.database.pool.connect();
  const seen: string[] = [];
  const readNow = async () => {
    const page = await services.changes.list(viewer, { after: cursor, first: 100, fields: FIELDS });
    cursor = page.nextCursor;
    seen.push(...page.changes.map(({ postId }) => postId));
  };
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_current_xact_id()');
    await changeText(viewer, quick, 'New');
    await readNow();
    expect(seen).toEqual([]);
    await client.query(
      "INSERT INTO event (at, workspace_id, api, type, post_id, doc_id, version, changed, state_before, state_after) SELECT now(), workspace_id, 'rest', 'post.updated', id, doc_id, version, '{text}', stored_state, stored_state FROM post WHERE id = $1",
      [slow.databaseId],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await settled(services.database.pool);
  await readNow();
  await readNow();
  expect(seen).toEqual([slow.id, quick.id]);
});
