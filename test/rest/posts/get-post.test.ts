import type { Post } from '../../../src/domain/posts/post.js';
import { withGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../../fixtures/records.js';
import { createV1Client, expectError, UNKNOWN_ID, type V1Client } from '../v1-client.js';

let records: Records;
let owner: KeyedViewer;
let get: V1Client['get'];
let put: V1Client['put'];
let del: V1Client['del'];
const gateway = withGateway();

beforeAll(async () => {
  ({ records, owner } = gateway);
  ({ get, put, del } = createV1Client(gateway));
});

describe('Get post', () => {
  it('returns the detail for both kinds of ID, with a strong ETag', async () => {
    const media = await records.aMedia({ workspaceId: owner.workspace.id, altText: 'A leaf' });
    const label = await records.aLabel({ workspaceId: owner.workspace.id, name: 'Leaves' });
    const post = await records.aPost({
      by: owner,
      text: 'hello',
      media: [media],
      labels: [label],
      recycling: { solo: true, gap: 1, gapFreq: 'days' },
    });
    const response = await get(`/posts/${post.id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toMatch(/^"1-[\w-]{22}"$/);
    expect(response.body).toMatchObject({
      id: post.id,
      text: 'hello',
      account: { id: post.accountId, type: 'profile', name: 'Kiosk', picture: null },
      link: null,
      recurring: null,
      media: [{ id: media.id, type: 'photo', url: media.url, alt_text: 'A leaf' }],
      labels: [{ id: label.id, name: 'Leaves', color: '#808080' }],
      recycling: { solo: true, gap: 1, gap_freq: 'days', start_date: null, expire_count: null },
    });
    expect((await get(`/posts/${post.databaseId}`)).body).toEqual(response.body);
    expect((await get(`/posts/${post.id.toUpperCase()}`)).body).toEqual(response.body);
  });

  it('returns 304 if the client has the current body', async () => {
    const post = await records.aPost({ by: owner });
    const etag = (await get(`/posts/${post.id}`)).headers.get('etag')!;
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const same = await get(`/posts/${post.id}`, owner, { 'if-none-match': tags });
      expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get(`/posts/${post.id}`, owner, { 'if-none-match': '"1-other"' })).status).toBe(
      200,
    );
    expectError(
      await get(`/posts/${UNKNOWN_ID}`, owner, { 'if-none-match': '*' }),
      422,
      'POST_NOT_FOUND',
    );
  });

  it.each([UNKNOWN_ID, '999999', '0', 'nonsense', '%00', '4294967296'])(
    'reports %s as unknown',
    async (id) => expectError(await get(`/posts/${id}`), 422, 'POST_NOT_FOUND'),
  );

  it('rejects a post of another workspace, and reports its database ID as unknown (D3, D18)', async () => {
    const nonMember = await records.aViewer();
    const post = await records.aPost({ by: nonMember });
    expectError(await get(`/posts/${post.id}`), 403, 'FORBIDDEN');
    expectError(await get(`/posts/${post.databaseId}`), 422, 'POST_NOT_FOUND');
  });

  it('returns analytics on request, for imported posts only (D7)', async () => {
    const own = await records.aPost({ by: owner });
    const imported = await records.aPost({
      by: owner,
      storedState: 'published_posted',
      origin: 'imported',
    });
    const detail = async (post: Post, query: string) =>
      (await get(`/posts/${post.id}${query}`)).body;
    expect(await detail(own, '?analytics=true')).not.toHaveProperty('analytics');
    expect(await detail(imported, '')).not.toHaveProperty('analytics');
    expect(await detail(imported, '?analytics=true&other=1')).toHaveProperty('analytics');
    expectError(await get(`/posts/${imported.id}?analytics=yes`), 400, 'BAD_USER_INPUT');
  });
});

describe('private draft of another user (D13)', () => {
  let draft: Post;
  beforeAll(async () => {
    const editor = await records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'editor',
      postActions: true,
    });
    draft = await records.aPost({
      by: editor,
      storedState: 'draft_private_dated',
      text: 'zebrasecret',
    });
    expect((await get('/posts?query=zebrasecret', editor)).body.total).toBe(1);
  });

  it('is in no list and no total, not even the owner’s', async () => {
    for (const query of [
      'query=zebrasecret',
      'state=draft_private',
      `member_id=${draft.creatorId}`,
    ]) {
      expect((await get(`/posts?${query}`)).body).toMatchObject({ posts: [], total: 0 });
    }
  });

  it('gets the errors of any inaccessible post', async () => {
    expectError(await get(`/posts/${draft.id}?analytics=true`), 403, 'FORBIDDEN');
    expectError(await put(draft, { text: 'x' }), 403, 'FORBIDDEN');
    expectError(await put(draft, { text: 'x' }, { 'if-match': '"9-x", "8-x"' }), 403, 'FORBIDDEN');
    const response = await del(`post_ids=${draft.id}`);
    expectError(response, 403, 'FORBIDDEN');
    expect(response.body.errors).toEqual([
      `${draft.id}: The post is not accessible in this workspace.`,
    ]);
    for (const response of [
      await get(`/posts/${draft.databaseId}`),
      await put(String(draft.databaseId), {}),
      await del(`post_ids=${draft.databaseId}`),
    ]) {
      expectError(response, 422, 'POST_NOT_FOUND');
    }
  });
});
