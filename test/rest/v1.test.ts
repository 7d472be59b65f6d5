import type { Post } from '../../src/domain/posts/post.js';
import { EXAMPLE_POST } from '../../src/rest/openapi/example-post.js';
import { gatewayWith, type Answer, type Asking, type TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../fixtures/records.js';

let gateway: TestGateway;
let records: Records;
let owner: KeyedViewer;

beforeAll(async () => {
  gateway = await gatewayWith();
  ({ records, owner } = gateway);
});
afterAll(() => gateway.close());

type Reply = Answer<any>;
const NOBODY: Asking = { key: null, workspace: null };
const get = (path: string, as = owner, headers: Record<string, string> = {}): Promise<Reply> =>
  gateway.v1('GET', path, { as, headers });
const put = (
  post: Pick<Post, 'id'> | string,
  patch: unknown,
  headers: Record<string, string> = {},
  query = '',
): Promise<Reply> =>
  gateway.v1('PUT', `/posts/${typeof post === 'string' ? post : post.id}${query}`, {
    headers,
    body: { post: patch },
  });
const del = (query: string, as = owner, headers: Record<string, string> = {}): Promise<Reply> =>
  gateway.v1('DELETE', `/posts?${query}`, { as, headers });
const expectRefusal = (reply: Reply, status: number, code: string): void => {
  expect({ status: reply.status, code: reply.body?.code }).toEqual({ status, code });
  expect(Object.keys(reply.body).sort()).toEqual(['code', 'errors', 'message']);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
};
const UNKNOWN = 'ffffffffffffffffffffffff';

describe('every answer', () => {
  it('carries its version and who may keep it', async () => {
    for (const reply of [
      await get('/posts'),
      await get('/nothing'),
      await gateway.v1('GET', '/posts', NOBODY),
    ]) {
      expect(reply.headers.get('x-api-version')).toBe('v1');
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
      expect(reply.headers.get('vary')).toBe('Authorization, Service-Workspace-Id');
      expect(reply.headers.get('x-powered-by')).toBeNull();
    }
  });

  it('to HEAD is that to GET without its body', async () => {
    const [head, body] = [await gateway.v1('HEAD', '/posts'), await get('/posts')];
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers.get('content-length')).toBe(body.headers.get('content-length'));
  });
});

describe('routes', () => {
  it.each([
    ['POST', '/posts', 'GET, HEAD, DELETE'],
    ['PATCH', '/posts/7', 'GET, HEAD, PUT'],
    ['DELETE', '/workspaces', 'GET, HEAD'],
    ['OPTIONS', '/media', 'GET, HEAD'],
  ])('%s %s is 405', async (method, path, allow) => {
    const reply = await gateway.v1(method, path);
    expectRefusal(reply, 405, 'METHOD_NOT_ALLOWED');
    expect(reply.headers.get('allow')).toBe(allow);
  });

  it.each(['', '/', '/users', '/posts/7/labels', '/Posts'])('/v1%s is 404', async (path) =>
    expectRefusal(await get(path), 404, 'NOT_FOUND'),
  );

  it.each(['/v2/posts', '/v0', '/v10/posts?x=1'])(
    '%s names the current version (D45)',
    async (path) => {
      const reply = await gateway.ask(path);
      expectRefusal(reply, 404, 'NOT_FOUND');
      expect(reply.body.message).toContain('v1');
    },
  );

  it('forgives a slash at the end of what is read, and of nothing else', async () => {
    expect((await get('/posts/')).status).toBe(200);
    expectRefusal(await gateway.v1('DELETE', '/posts/?post_ids=7'), 404, 'NOT_FOUND');
  });

  it('answers a path that is no percent-encoding', async () =>
    expectRefusal(await get('/posts/%zz'), 400, 'BAD_USER_INPUT'));

  it('shows the reference to anybody', async () => {
    const reply = await gateway.v1('GET', '/openapi.json', NOBODY);
    expect(reply.status).toBe(200);
    expect(reply.body.openapi).toBe('3.1.0');
    expect((await gateway.v1('POST', '/openapi.json', NOBODY)).status).toBe(405);
  });
});

describe('scopes and workspace (D35)', () => {
  const routes: [string, string, string][] = [
    ['GET', '/posts', 'posts:read'],
    ['GET', '/posts/7', 'posts:read'],
    ['PUT', '/posts/7', 'posts:write'],
    ['DELETE', '/posts?post_ids=7', 'posts:write'],
    ['GET', '/job_status/job_1', 'posts:read'],
    ['GET', '/workspaces', 'workspaces'],
    ['GET', '/accounts', 'accounts'],
    ['GET', '/media', 'media'],
  ];

  it.each(routes)('%s %s needs %s', async (method, path, scope) => {
    const all = ['workspaces', 'accounts', 'posts:read', 'posts:write', 'media'] as const;
    const without = await records.aKey({
      userId: owner.user.id,
      scopes: all.filter((one) => one !== scope),
    });
    const reply = await gateway.v1(method, path, { key: without });
    expectRefusal(reply, 403, 'MISSING_SCOPE');
    expect(reply.body.message).toContain(scope);
    const alone = await records.aKey({ userId: owner.user.id, scopes: [scope as 'media'] });
    expect((await gateway.v1(method, path, { key: alone })).status).not.toBe(403);
  });

  it.each(routes.filter(([, path]) => path !== '/workspaces'))(
    '%s %s needs a workspace',
    async (method, path) => {
      const none = await records.aKey({ userId: owner.user.id, scopes: [] });
      expectRefusal(
        await gateway.v1(method, path, { key: none, workspace: null }),
        403,
        'MISSING_WORKSPACE',
      );
      expectRefusal(
        await gateway.v1(method, path, { key: none, workspace: 'wks_elsewhere' }),
        403,
        'NOT_A_MEMBER',
      );
    },
  );

  it('lists workspaces without one', async () => {
    expect((await gateway.v1('GET', '/workspaces', { workspace: null })).status).toBe(200);
    expect((await gateway.v1('GET', '/workspaces', { workspace: 'wks_elsewhere' })).status).toBe(
      200,
    );
  });
});

describe('List posts', () => {
  let viewer: KeyedViewer;
  let saved: Post[];
  beforeAll(async () => {
    viewer = await records.aViewer();
    const { type, text, title, url, link, scheduledAt } = EXAMPLE_POST;
    saved = [await records.aPost({ by: viewer, type, text, title, url, link, scheduledAt })];
    for (let day = 1; day <= 11; day++)
      saved.push(
        await records.aPost({
          by: viewer,
          account: null,
          cell: 'draft_dated',
          scheduledAt: new Date(Date.UTC(2026, 5, day, 12)),
          text: `draft ${day}`,
        }),
      );
    saved.push(await records.aPost({ by: viewer, cell: 'draft_undated', text: 'undated' }));
  });
  const list = (query = '') => get(`/posts${query}`, viewer);

  it('gives ten a page, newest scheduled first, undated last (D14)', async () => {
    const [first, second, third] = [await list(), await list('?page=1'), await list('?page=2')];
    expect(first.body).toMatchObject({ total: 13, page: 0, per_page: 10, total_pages: 2 });
    const texts = [...first.body.posts, ...second.body.posts].map(
      (post: { text: string }) => post.text,
    );
    expect(texts).toEqual([
      EXAMPLE_POST.text,
      ...Array.from({ length: 11 }, (_, place) => `draft ${11 - place}`),
      'undated',
    ]);
    expect(third.body).toEqual({ posts: [], total: 13, page: 2, per_page: 10, total_pages: 2 });
  });

  it('is 200 far past the end', async () =>
    expect((await list('?page=2147483647')).body).toEqual({
      posts: [],
      total: 13,
      page: 2147483647,
      per_page: 10,
      total_pages: 2,
    }));

  it('shows a post as the document has it', async () => {
    const { body } = await list('?postType=link');
    expect(body.posts).toEqual([
      {
        id: saved[0]!.id,
        text: EXAMPLE_POST.text,
        url: 'https://example.com/autumn',
        state: 'scheduled',
        type: 'link',
        account_id: saved[0]!.accountId,
        user: { id: viewer.user.id, name: viewer.user.name, picture: null },
        scheduled_at: '2026-12-01T09:30:00+00:00',
        post_link: null,
        has_media: false,
        network: 'mastodon',
      },
    ]);
  });

  it.each([
    ['?state=draft', 12],
    ['?state[]=draft_undated&state[]=scheduled', 2],
    ['?state=all', 13],
    ['?state[]=', 13],
    ['?from=2026-06-01&to=2026-06-03', 3],
    ['?from=2026-06-01T12:00:00Z&to=2026-06-02T11:59:59Z', 1],
    ['?from=2026-06-01T14:00:00+02:00&to=2026-06-01', 1],
    ['?query=autumn%20-draft', 1],
    ['?query=%22%22', 13],
    ['?member_id=nobody', 0],
    ['?account_ids[]=acc_nope', 0],
    ['?account_ids=%00', 0],
    ['?member_id=%00', 0],
    ['?member_id=', 0],
    ['?foo=1', 13],
    ['?postType=poll', 0],
  ])('%s finds %i', async (query, total) => expect((await list(query)).body.total).toBe(total));

  it('finds by account and member', async () => {
    expect((await list(`?account_ids[0]=${saved[0]!.accountId}&account_ids[1]=x`)).body.total).toBe(
      1,
    );
    expect((await list(`?member_id=${viewer.user.id}`)).body.total).toBe(13);
  });

  it('names every problem at once', async () => {
    const reply = await list('?state=x&from=2026-02-30&page=-1&postType=y');
    expectRefusal(reply, 400, 'BAD_USER_INPUT');
    expect(reply.body.errors.map((message: string) => message.split(':')[0])).toEqual([
      'state[]',
      'from',
      'page',
      'postType',
      'to',
    ]);
  });

  it('has no tag', async () => expect((await list()).headers.get('etag')).toBeNull());
});

describe('Get post', () => {
  it('gives the detail by either id, with a strong tag', async () => {
    const media = await records.aMedia({ workspaceId: owner.workspace.id, altText: 'A leaf' });
    const label = await records.aLabel({ workspaceId: owner.workspace.id, name: 'Leaves' });
    const post = await records.aPost({
      by: owner,
      text: 'hello',
      media: [media],
      labels: [label],
      recycling: { solo: true, gap: 1, gapFreq: 'days' },
    });
    const reply = await get(`/posts/${post.id}`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).toMatch(/^"1-[\w-]{22}"$/);
    expect(reply.body).toMatchObject({
      id: post.id,
      text: 'hello',
      account: { id: post.accountId, type: 'profile', name: 'Kiosk', picture: null },
      link: null,
      recurring: null,
      media: [{ id: media.id, type: 'photo', url: media.url, alt_text: 'A leaf' }],
      labels: [{ id: label.id, name: 'Leaves', color: '#808080' }],
      recycling: { solo: true, gap: 1, gap_freq: 'days', start_date: null, expire_count: null },
    });
    expect((await get(`/posts/${post.databaseId}`)).body).toEqual(reply.body);
    expect((await get(`/posts/${post.id.toUpperCase()}`)).body).toEqual(reply.body);
  });

  it('is 304 where the client has it', async () => {
    const post = await records.aPost({ by: owner });
    const etag = (await get(`/posts/${post.id}`)).headers.get('etag')!;
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const same = await get(`/posts/${post.id}`, owner, { 'if-none-match': tags });
      expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get(`/posts/${post.id}`, owner, { 'if-none-match': '"1-other"' })).status).toBe(
      200,
    );
    expectRefusal(
      await get(`/posts/${UNKNOWN}`, owner, { 'if-none-match': '*' }),
      422,
      'POST_NOT_FOUND',
    );
  });

  it.each([UNKNOWN, '999999', '0', 'nonsense', '%00', '4294967296'])('%s is unknown', async (id) =>
    expectRefusal(await get(`/posts/${id}`), 422, 'POST_NOT_FOUND'),
  );

  it('refuses what is elsewhere, and tells nothing of a relational id there (D3, D18)', async () => {
    const stranger = await records.aViewer();
    const post = await records.aPost({ by: stranger });
    expectRefusal(await get(`/posts/${post.id}`), 403, 'FORBIDDEN');
    expectRefusal(await get(`/posts/${post.databaseId}`), 422, 'POST_NOT_FOUND');
  });

  it('has analytics where asked for, on imported posts only (D7)', async () => {
    const own = await records.aPost({ by: owner });
    const imported = await records.aPost({
      by: owner,
      cell: 'published_posted',
      origin: 'imported',
    });
    const detail = async (post: Post, query: string) =>
      (await get(`/posts/${post.id}${query}`)).body;
    expect(await detail(own, '?analytics=true')).not.toHaveProperty('analytics');
    expect(await detail(imported, '')).not.toHaveProperty('analytics');
    expect(await detail(imported, '?analytics=true&other=1')).toHaveProperty('analytics');
    expectRefusal(await get(`/posts/${imported.id}?analytics=yes`), 400, 'BAD_USER_INPUT');
  });
});

describe('Update post', () => {
  it('answers with the detail and the tag of the new version', async () => {
    const post = await records.aPost({ by: owner, text: 'before' });
    const reply = await put(post, { text: 'after', labels: [{ name: 'News', color: '#ff0000' }] });
    expect([reply.status, reply.body.text, reply.body.labels]).toEqual([
      200,
      'after',
      [{ id: expect.stringMatching(/^lbl_/), name: 'News', color: '#ff0000' }],
    ]);
    const now = await get(`/posts/${post.id}`);
    expect(now.body).toEqual(reply.body);
    expect(now.headers.get('etag')).toBe(reply.headers.get('etag'));
    expect(reply.headers.get('etag')).toMatch(/^"2-/);
    expect(reply.headers.get('x-dry-run')).toBeNull();
    expect(reply.headers.get('idempotency-replayed')).toBeNull();
  });

  it('makes no version of nothing', async () => {
    const post = await records.aPost({ by: owner });
    expect((await put(post, {})).headers.get('etag')).toMatch(/^"1-/);
  });

  it('refuses every shape at once, before it looks for the post (D21)', async () => {
    const reply = await gateway.v1('PUT', `/posts/${UNKNOWN}?dry=1`, {
      body: { post: { text: 5, labels: [{ name: 'A', colour: 'x' }], scheduled_at: null } },
      headers: { 'idempotency-key': 'x'.repeat(256) },
    });
    expectRefusal(reply, 400, 'BAD_USER_INPUT');
    expect(reply.body.errors.map((message: string) => message.split(':')[0]).sort()).toEqual([
      'Idempotency-Key',
      'dry',
      'post.labels[0].colour',
      'post.scheduled_at',
      'post.text',
    ]);
  });

  it.each(['', '{', '[]', '"x"', '{"post":1}', '{"post":{},"post":{}}'])(
    'refuses the body %j',
    async (body) => {
      const post = await records.aPost({ by: owner });
      expectRefusal(await gateway.v1('PUT', `/posts/${post.id}`, { body }), 400, 'BAD_USER_INPUT');
    },
  );

  it('says every rule that is broken, in the words of v1, and changes nothing', async () => {
    const account = await records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'twitter',
    });
    const post = await records.aPost({
      by: owner,
      account,
      cell: 'published_posted',
      text: 'live',
    });
    const before = await get(`/posts/${post.id}`);
    const reply = await put(post, {
      text: 'x',
      featured_media: { path: 'https://example.com/a.png' },
      labels: [{ name: 'fine' }],
    });
    expectRefusal(reply, 422, 'RULE_VIOLATION');
    expect(reply.body.errors).toHaveLength(2);
    expect(reply.body.errors[1]).toContain('featured_media');
    expect((await get(`/posts/${post.id}`)).body).toEqual(before.body);
  });

  it('names the job of a published post’s change', async () => {
    const account = await records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'linkedin',
    });
    const post = await records.aPost({
      by: owner,
      account,
      cell: 'published_posted',
      text: 'live',
    });
    const reply = await put(post, { text: 'edited' });
    const job = reply.headers.get('x-job-id')!;
    expect((await get(`/job_status/${job}`)).body).toEqual({
      status: 'working',
      payload: { failures: {} },
    });
    const stranger = await records.aViewer();
    expectRefusal(await get(`/job_status/${job}`, stranger), 404, 'JOB_NOT_FOUND');
    expectRefusal(await get('/job_status/%00'), 404, 'JOB_NOT_FOUND');
  });

  describe('If-Match (D26)', () => {
    it.each([
      ['"2-x"', 412],
      ['W/"1-x"', 412],
      ['nonsense', 412],
      ['', 412],
      ['"7-x", "8-x"', 412],
      ['"1-x"', 200],
      ['*', 200],
      ['"9-x", "1-x"', 200],
    ])('%j is %i', async (tag, status) => {
      const post = await records.aPost({ by: owner, text: 'before' });
      const reply = await put(post, { text: 'after' }, { 'if-match': tag });
      expect(reply.status).toBe(status);
      expect((await get(`/posts/${post.id}`)).body.text).toBe(status === 200 ? 'after' : 'before');
      if (status === 412) expectRefusal(reply, 412, 'CONFLICT');
    });

    it('comes after the post', async () => {
      for (const tag of ['"2-x"', 'nonsense', '"7-x", "8-x"'])
        expectRefusal(await put(UNKNOWN, {}, { 'if-match': tag }), 422, 'POST_NOT_FOUND');
    });
  });

  describe('dry_run (D28)', () => {
    it('answers as it would, and changes nothing', async () => {
      const post = await records.aPost({ by: owner, text: 'before' });
      const reply = await put(
        post,
        { text: 'after', labels: [{ name: 'Never made' }] },
        {},
        '?dry_run=true',
      );
      expect([
        reply.status,
        reply.body.text,
        reply.headers.get('x-dry-run'),
        reply.headers.get('etag'),
      ]).toEqual([200, 'after', 'true', null]);
      expect((await get(`/posts/${post.id}`)).body).toMatchObject({ text: 'before', labels: [] });
      expect(await gateway.db.prisma.label.count({ where: { name: 'Never made' } })).toBe(0);
    });

    it('refuses as it would', async () => {
      const reply = await put(UNKNOWN, {}, {}, '?dry_run=true');
      expectRefusal(reply, 422, 'POST_NOT_FOUND');
      expect(reply.headers.get('x-dry-run')).toBe('true');
    });
  });

  describe('Idempotency-Key (D27)', () => {
    it('gives the same answer again', async () => {
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

    it('gives a refusal of the rules again, and refuses another input', async () => {
      const account = await records.anAccount({
        workspaceId: owner.workspace.id,
        network: 'twitter',
      });
      const post = await records.aPost({ by: owner, account, cell: 'published_posted' });
      const [first, again] = [
        await put(post, { text: 'x' }, { 'idempotency-key': 'r' }),
        await put(post, { text: 'x' }, { 'idempotency-key': 'r' }),
      ];
      expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
        first.status,
        first.body,
        'true',
      ]);
      expectRefusal(
        await put(post, { text: 'y' }, { 'idempotency-key': 'r' }),
        422,
        'IDEMPOTENCY_MISMATCH',
      );
    });

    it.each(['', 'x'.repeat(256)])('refuses a key of the wrong length', async (key) => {
      expectRefusal(
        await put(await records.aPost({ by: owner }), {}, { 'idempotency-key': key }),
        400,
        'BAD_USER_INPUT',
      );
    });
  });
});

describe('Delete posts', () => {
  it('deletes what may be deleted and says why the rest was not (D31)', async () => {
    const [one, two, queued] = [
      await records.aPost({ by: owner }),
      await records.aPost({ by: owner }),
      await records.aPost({ by: owner, queuedAt: new Date() }),
    ];
    const reply = await del(
      `post_ids[]=${one.databaseId}&post_ids[]=${one.id}&post_ids[]=${two.id.toUpperCase()}&post_ids[]=${queued.id}&post_ids[]=nope`,
    );
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      deleted_ids: [String(one.databaseId), two.id.toUpperCase()],
      failures: {
        [queued.id]: ['A queued post cannot be deleted, except reminders.'],
        nope: ['No post has that identifier.'],
      },
    });
    expectRefusal(await get(`/posts/${one.id}`), 422, 'POST_NOT_FOUND');
  });

  it('has no failures where there are none', async () => {
    const post = await records.aPost({ by: owner });
    expect((await del(`post_ids=${post.id}`)).body).toEqual({ deleted_ids: [post.id] });
  });

  it('is 403 where nothing may be deleted, 422 where all is unknown', async () => {
    const queued = await records.aPost({ by: owner, queuedAt: new Date() });
    const refused = await del(`post_ids=${queued.id}&post_ids=nope`);
    expectRefusal(refused, 403, 'FORBIDDEN');
    expect(refused.body.errors).toEqual([
      `${queued.id}: A queued post cannot be deleted, except reminders.`,
      'nope: No post has that identifier.',
    ]);
    expectRefusal(await del(`post_ids=${UNKNOWN}&post_ids=0`), 422, 'POST_NOT_FOUND');
  });

  it('tries without deleting, and repeats without deleting twice', async () => {
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
    expectRefusal(
      await del(`post_ids=${UNKNOWN}`, owner, { 'idempotency-key': 'd' }),
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
  ])('refuses the query %.40s', async (query) =>
    expectRefusal(await del(query), 400, 'BAD_USER_INPUT'),
  );
});

describe('a stranger’s private draft (D13)', () => {
  let draft: Post;
  beforeAll(async () => {
    const editor = await records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'editor',
      postActions: true,
    });
    draft = await records.aPost({ by: editor, cell: 'draft_private_dated', text: 'zebrasecret' });
    expect((await get('/posts?query=zebrasecret', editor)).body.total).toBe(1);
  });

  it('is in no list and no total, the owner’s included', async () => {
    for (const query of [
      'query=zebrasecret',
      'state=draft_private',
      `member_id=${draft.creatorId}`,
    ]) {
      expect((await get(`/posts?${query}`)).body).toMatchObject({ posts: [], total: 0 });
    }
  });

  it('is answered like any post that is out of reach', async () => {
    expectRefusal(await get(`/posts/${draft.id}?analytics=true`), 403, 'FORBIDDEN');
    expectRefusal(await put(draft, { text: 'x' }), 403, 'FORBIDDEN');
    expectRefusal(
      await put(draft, { text: 'x' }, { 'if-match': '"9-x", "8-x"' }),
      403,
      'FORBIDDEN',
    );
    const reply = await del(`post_ids=${draft.id}`);
    expectRefusal(reply, 403, 'FORBIDDEN');
    expect(reply.body.errors).toEqual([
      `${draft.id}: The post is not accessible in this workspace.`,
    ]);
    for (const reply of [
      await get(`/posts/${draft.databaseId}`),
      await put(String(draft.databaseId), {}),
      await del(`post_ids=${draft.databaseId}`),
    ]) {
      expectRefusal(reply, 422, 'POST_NOT_FOUND');
    }
  });
});

describe('the records around posts (D43)', () => {
  it('lists workspaces, accounts and media', async () => {
    const viewer = await records.aViewer();
    const account = await records.anAccount({ workspaceId: viewer.workspace.id, socialId: 's1' });
    const media = await records.aMedia({ workspaceId: viewer.workspace.id });
    expect((await get('/workspaces', viewer)).body).toEqual({
      workspaces: [
        {
          id: viewer.workspace.id,
          name: 'Kiosk',
          picture: null,
          plan: 'business',
          time_zone: 'Europe/Berlin',
          requires_approval: false,
        },
      ],
    });
    expect((await get('/accounts', viewer)).body).toEqual({
      accounts: [
        {
          id: account.id,
          provider: 'mastodon',
          name: 'Kiosk',
          social_id: 's1',
          picture: null,
          type: 'profile',
        },
      ],
    });
    expect((await get('/media', viewer)).body).toEqual({
      media: [{ id: media.id, type: 'photo', url: media.url, alt_text: null }],
    });
  });

  it('hides the social id from editors (D44)', async () => {
    const editor = await records.aViewer({ workspaceId: owner.workspace.id, role: 'editor' });
    await records.anAccount({ workspaceId: owner.workspace.id });
    const { accounts } = (await get('/accounts', editor)).body as {
      accounts: { social_id: string | null }[];
    };
    expect(accounts.every(({ social_id }) => social_id === null)).toBe(true);
  });

  it.each(['/workspaces', '/accounts', '/media'])('%s has pages', async (path) => {
    const [list] = Object.values(
      (await get(`${path}?page=2147483647`)).body as Record<string, unknown[]>,
    );
    expect(list).toEqual([]);
    expectRefusal(await get(`${path}?page=x`), 400, 'BAD_USER_INPUT');
  });
});
