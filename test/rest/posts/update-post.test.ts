import { withGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../../fixtures/records.js';
import { createV1Client, expectError, UNKNOWN_ID, type V1Client } from '../v1-client.js';

let records: Records;
let owner: KeyedViewer;
let get: V1Client['get'];
let put: V1Client['put'];
const gateway = withGateway();

beforeAll(async () => {
  ({ records, owner } = gateway);
  ({ get, put } = createV1Client(gateway));
});

describe('Update post', () => {
  it('returns the detail and ETag of the new version', async () => {
    const post = await records.aPost({ by: owner, text: 'before' });
    const response = await put(post, {
      text: 'after',
      labels: [{ name: 'News', color: '#ff0000' }],
    });
    expect([response.status, response.body.text, response.body.labels]).toEqual([
      200,
      'after',
      [{ id: expect.stringMatching(/^lbl_/), name: 'News', color: '#ff0000' }],
    ]);
    const now = await get(`/posts/${post.id}`);
    expect(now.body).toEqual(response.body);
    expect(now.headers.get('etag')).toBe(response.headers.get('etag'));
    expect(response.headers.get('etag')).toMatch(/^"2-/);
    expect(response.headers.get('x-dry-run')).toBeNull();
    expect(response.headers.get('idempotency-replayed')).toBeNull();
  });

  it('merges a location key by key', async () => {
    const post = await records.aPost({ by: owner, location: { id: 'l1', name: 'Köln' } });
    const renamed = await put(post, { location: { name: 'Cologne' } });
    expect([renamed.status, renamed.headers.get('etag')]).toEqual([
      200,
      expect.stringMatching(/^"2-/),
    ]);
    const same = await put(post, { location: { id: 'l1', name: 'Cologne' } });
    expect(same.headers.get('etag')).toBe(renamed.headers.get('etag'));
    const without = await records.aPost({ by: owner });
    expect((await put(without, { location: { name: 'Nowhere' } })).status).toBe(422);
  });

  it('creates no version for an empty change', async () => {
    const post = await records.aPost({ by: owner });
    expect((await put(post, {})).headers.get('etag')).toMatch(/^"1-/);
  });

  it('reports all malformed input together, before it loads the post (D21)', async () => {
    const response = await gateway.v1('PUT', `/posts/${UNKNOWN_ID}?dry=1`, {
      body: { post: { text: 5, labels: [{ name: 'A', colour: 'x' }], scheduled_at: null } },
      headers: { 'idempotency-key': 'x'.repeat(256) },
    });
    expectError(response, 400, 'BAD_USER_INPUT');
    expect(response.body.errors.map((message: string) => message.split(':')[0]).sort()).toEqual([
      'Idempotency-Key',
      'dry',
      'post.labels[0].colour',
      'post.scheduled_at',
      'post.text',
    ]);
  });

  it.each(['', '{', '[]', '"x"', '{"post":1}'])('rejects the body %j', async (body) => {
    const post = await records.aPost({ by: owner });
    expectError(await gateway.v1('PUT', `/posts/${post.id}`, { body }), 400, 'BAD_USER_INPUT');
  });

  it('reports every violated rule with v1 field names, and changes nothing', async () => {
    const account = await records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'twitter',
    });
    const post = await records.aPost({
      by: owner,
      account,
      storedState: 'published_posted',
      text: 'live',
    });
    const before = await get(`/posts/${post.id}`);
    const response = await put(post, {
      text: 'x',
      featured_media: { path: 'https://example.com/a.png' },
      labels: [{ name: 'fine' }],
    });
    expectError(response, 422, 'RULE_VIOLATION');
    expect(response.body.errors).toHaveLength(2);
    expect(response.body.errors[1]).toContain('featured_media');
    expect((await get(`/posts/${post.id}`)).body).toEqual(before.body);
  });

  it('returns the job ID for a published post', async () => {
    const account = await records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'linkedin',
    });
    const post = await records.aPost({
      by: owner,
      account,
      storedState: 'published_posted',
      text: 'live',
    });
    const response = await put(post, { text: 'edited' });
    const job = response.headers.get('x-job-id')!;
    expect((await get(`/job_status/${job}`)).body).toEqual({
      status: 'working',
      payload: { failures: {} },
    });
    const nonMember = await records.aViewer();
    expectError(await get(`/job_status/${job}`, nonMember), 404, 'JOB_NOT_FOUND');
    expectError(await get('/job_status/%00'), 404, 'JOB_NOT_FOUND');
  });
});

describe('If-Match of Update post (D26)', () => {
  it.each([
    ['"2-x"', 412],
    ['W/"1-x"', 412],
    ['nonsense', 412],
    ['', 412],
    ['"7-x", "8-x"', 412],
    ['"1-x"', 200],
    ['*', 200],
    ['"9-x", "1-x"', 200],
  ])('%j returns %i', async (tag, status) => {
    const post = await records.aPost({ by: owner, text: 'before' });
    const response = await put(post, { text: 'after' }, { 'if-match': tag });
    expect(response.status).toBe(status);
    expect((await get(`/posts/${post.id}`)).body.text).toBe(status === 200 ? 'after' : 'before');
    if (status === 412) {
      expectError(response, 412, 'CONFLICT');
      const current = await get(`/posts/${post.id}`);
      expect(response.headers.get('etag')).toBe(current.headers.get('etag'));
      expect(response.body.message).toContain('The post has version 1,');
    }
  });

  it('is checked after the post was found', async () => {
    for (const tag of ['"2-x"', 'nonsense', '"7-x", "8-x"'])
      expectError(await put(UNKNOWN_ID, {}, { 'if-match': tag }), 422, 'POST_NOT_FOUND');
  });
});

describe('dry_run of Update post (D28)', () => {
  it('returns the response of the update, and changes nothing', async () => {
    const post = await records.aPost({ by: owner, text: 'before' });
    const response = await put(
      post,
      { text: 'after', labels: [{ name: 'Never made' }] },
      {},
      '?dry_run=true',
    );
    expect([
      response.status,
      response.body.text,
      response.headers.get('x-dry-run'),
      response.headers.get('etag'),
    ]).toEqual([200, 'after', 'true', null]);
    expect((await get(`/posts/${post.id}`)).body).toMatchObject({ text: 'before', labels: [] });
    expect(await gateway.db.prisma.label.count({ where: { name: 'Never made' } })).toBe(0);
  });

  it('returns the error of the update', async () => {
    const response = await put(UNKNOWN_ID, {}, {}, '?dry_run=true');
    expectError(response, 422, 'POST_NOT_FOUND');
    expect(response.headers.get('x-dry-run')).toBe('true');
  });
});

describe('Idempotency-Key of Update post (D27)', () => {
  it('returns the first response again', async () => {
    const post = await records.aPost({ by: owner, text: 'before' });
    const [first, , again] = [
      await put(post, { text: 'one' }, { 'idempotency-key': 'k' }),
      await put(post, { text: 'two' }),
      await put(post, { text: 'one' }, { 'idempotency-key': 'k' }),
    ];
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([
      200,
      first.body,
      first.headers.get('etag'),
    ]);
    expect((await get(`/posts/${post.id}`)).body.text).toBe('two');
  });

  it('returns a rule violation again, and rejects another input', async () => {
    const account = await records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'twitter',
    });
    const post = await records.aPost({ by: owner, account, storedState: 'published_posted' });
    const [first, again] = [
      await put(post, { text: 'x' }, { 'idempotency-key': 'r' }),
      await put(post, { text: 'x' }, { 'idempotency-key': 'r' }),
    ];
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      first.status,
      first.body,
      'true',
    ]);
    expectError(
      await put(post, { text: 'y' }, { 'idempotency-key': 'r' }),
      422,
      'IDEMPOTENCY_MISMATCH',
    );
  });

  it.each(['', 'x'.repeat(256)])('rejects a key of invalid length', async (key) => {
    expectError(
      await put(await records.aPost({ by: owner }), {}, { 'idempotency-key': key }),
      400,
      'BAD_USER_INPUT',
    );
  });
});

test('an update of a series lists what it does to the occurrences', async () => {
  const account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
  // Occurrences are created for a year ahead.
  const start = Math.floor(Date.now() / 86_400_000) + 30;
  const day = (nth: number): string =>
    new Date((start + nth) * 86_400_000 + 9 * 3_600_000).toISOString().replace('.000Z', '+00:00');
  const { body } = await gateway.graphql(
    'mutation ($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } userErrors { message } } }',
    {
      input: {
        mode: 'SCHEDULE',
        targets: [{ accountId: account.id }],
        post: {
          type: 'STATUS',
          text: 'Series',
          recurring: { repeat: 'DAILY', startDate: day(1), endDate: day(3) },
        },
      },
    },
  );
  const [series] = body.data.createPosts.posts;
  const recurring = { repeat_rate: 1, end_date: day(2) };
  const change = { made: [], moved: [], independent: 0 };
  const dryRun = await gateway.v1('PUT', `/posts/${series.id}?dry_run=true`, {
    body: { post: { recurring } },
  });
  const response = await put(series, { recurring });
  for (const { body: updated } of [dryRun, response])
    expect(updated.series_change).toEqual({
      ...change,
      kept: [day(1), day(2)],
      removed: [day(3)],
    });
  const { series_change: _change, ...detail } = response.body;
  const read = await get(`/posts/${series.id}`);
  expect([read.body, read.headers.get('etag')]).toEqual([detail, response.headers.get('etag')]);
  expect((await put(await records.aPost({ by: owner }), { text: 'New' })).body).not.toHaveProperty(
    'series_change',
  );
});

test('an update that makes a duplicate names the other post', async () => {
  const account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
  const given = { by: owner, account };
  const post = await records.aPost({ ...given, text: 'Once' });
  const other = await records.aPost({ ...given, text: 'Twice' });
  const response = await put(post, { text: 'Twice' });
  expect([response.status, response.headers.get('x-duplicate-of')]).toEqual([200, other.id]);
  expect((await put(post, { text: 'Thrice' })).headers.get('x-duplicate-of')).toBeNull();
});
