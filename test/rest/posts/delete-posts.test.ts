import { withGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../../fixtures/records.js';
import { createV1Client, expectError, UNKNOWN_ID, type V1Client } from '../v1-client.js';

let records: Records;
let owner: KeyedViewer;
let get: V1Client['get'];
let del: V1Client['del'];
const gateway = withGateway();

beforeAll(async () => {
  ({ records, owner } = gateway);
  ({ get, del } = createV1Client(gateway));
});

describe('Delete posts', () => {
  it('deletes what can be deleted and reports the reasons for the rest (D31)', async () => {
    const [one, two, queued] = [
      await records.aPost({ by: owner }),
      await records.aPost({ by: owner }),
      await records.aPost({ by: owner, queuedAt: new Date() }),
    ];
    const response = await del(
      `post_ids[]=${one.databaseId}&post_ids[]=${one.id}&post_ids[]=${two.id.toUpperCase()}&post_ids[]=${queued.id}&post_ids[]=nope`,
    );
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      deleted_ids: [String(one.databaseId), two.id.toUpperCase()],
      failures: {
        [queued.id]: ['A queued post cannot be deleted, unless it is a reminder.'],
        nope: ['No post has this ID.'],
      },
    });
    expectError(await get(`/posts/${one.id}`), 422, 'POST_NOT_FOUND');
  });

  it('deletes nothing if a post has another version than If-Match (D26)', async () => {
    const [one, two] = [await records.aPost({ by: owner }), await records.aPost({ by: owner })];
    const etag = (await get(`/posts/${one.id}`)).headers.get('etag')!;
    const updated = await gateway.v1('PUT', `/posts/${one.id}`, {
      body: { post: { text: 'new' } },
    });
    const both = `post_ids[]=${one.id}&post_ids[]=${two.id}`;
    const removeIfMatch = (ids: string, ifMatch: string, dryRun = '') =>
      gateway.request(`/v1/posts?${ids}${dryRun}`, {
        method: 'DELETE',
        headers: { 'If-Match': ifMatch },
      });
    for (const dryRun of ['&dry_run=true', ''])
      for (const [ids, ifMatch] of [
        [`post_ids[]=${one.id}`, etag],
        [`post_ids[]=${one.id}`, 'nonsense'],
        [both, etag],
      ] as const) {
        const response = await removeIfMatch(ids, ifMatch, dryRun);
        expectError(response, 412, 'CONFLICT');
      }
    expect((await get(`/posts/${one.id}`)).status).toBe(200);
    expect((await get(`/posts/${two.id}`)).status).toBe(200);
    const current = updated.headers.get('etag')!;
    expect((await removeIfMatch(both, `${current}, ${etag}`)).body).toEqual({
      deleted_ids: [one.id, two.id],
    });
  });

  it('deletes with If-Match: * and skips posts that cannot be deleted', async () => {
    const [one, queued] = [
      await records.aPost({ by: owner }),
      await records.aPost({ by: owner, queuedAt: new Date() }),
    ];
    const response = await gateway.request(`/v1/posts?post_ids=${one.id}&post_ids=${queued.id}`, {
      method: 'DELETE',
      headers: { 'If-Match': '*' },
    });
    expect(response.body.deleted_ids).toEqual([one.id]);
  });

  it('omits failures if all posts were deleted', async () => {
    const post = await records.aPost({ by: owner });
    expect((await del(`post_ids=${post.id}`)).body).toEqual({ deleted_ids: [post.id] });
  });

  it('returns 403 if no post can be deleted, 422 if all are unknown', async () => {
    const queued = await records.aPost({ by: owner, queuedAt: new Date() });
    const refused = await del(`post_ids=${queued.id}&post_ids=nope`);
    expectError(refused, 403, 'FORBIDDEN');
    expect(refused.body.errors).toEqual([
      `${queued.id}: A queued post cannot be deleted, unless it is a reminder.`,
      'nope: No post has this ID.',
    ]);
    expectError(await del(`post_ids=${UNKNOWN_ID}&post_ids=0`), 422, 'POST_NOT_FOUND');
  });

  it('supports dry runs and idempotency keys', async () => {
    const post = await records.aPost({ by: owner });
    const tried = await del(`post_ids=${post.id}&dry_run=true`);
    expect([tried.status, tried.body, tried.headers.get('x-dry-run')]).toEqual([
      200,
      { deleted_ids: [post.id] },
      'true',
    ]);
    const [first, again] = [
      await del(`post_ids=${post.id}`, owner, { 'idempotency-key': 'd' }),
      await del(`post_ids=${post.id}`, owner, { 'idempotency-key': 'd' }),
    ];
    expect([
      first.status,
      first.headers.get('idempotency-replayed'),
      again.status,
      again.body,
      again.headers.get('idempotency-replayed'),
    ]).toEqual([200, null, 200, first.body, 'true']);
    expectError(
      await del(`post_ids=${UNKNOWN_ID}`, owner, { 'idempotency-key': 'd' }),
      422,
      'IDEMPOTENCY_MISMATCH',
    );
  });

  it.each([
    '',
    'post_ids[]=',
    'ids=7',
    'post_ids=7&dry_run=1',
    'post_ids=%00',
    Array.from({ length: 101 }, (_, id) => `post_ids[]=${id + 1}`).join('&'),
  ])('rejects the query %.40s', async (query) =>
    expectError(await del(query), 400, 'BAD_USER_INPUT'),
  );
});
