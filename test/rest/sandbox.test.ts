import { createSandboxNetwork } from '../../src/networks/sandbox.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import type { EditablePath } from '../../src/domain/rules/edit-rules.js';
import type { Account, Post } from '../../src/domain/posts/post.js';
import type { EditResult } from '../../src/services/networks/network-ports.js';
import { everyRow } from '../fixtures/every-row.js';
import { gatewayWith, type Answer, type TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer, PostBrief, Records } from '../fixtures/records.js';

const clock = { time: new Date('2026-11-21T08:00:00Z'), now: () => clock.time };
const UNKNOWN = 'ffffffffffffffffffffffff';
const NONE = { fail: null, delay_ms: null, rate_limit_seconds: null, token_expired: false };

let gateway: TestGateway;
let records: Records;
let owner: KeyedViewer;
let account: Account;

beforeAll(async () => {
  gateway = await gatewayWith({ clock });
  ({ records, owner } = gateway);
  account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
});
afterAll(() => gateway.close());

type Reply = Answer<any>;
const ask = (method: string, path: string, body?: unknown, as = owner): Promise<Reply> =>
  gateway.ask(`/sandbox${path}`, {
    method,
    asking: { as },
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
const published = (given: Partial<PostBrief> = {}): Promise<Post> =>
  records.aPost({ by: owner, cell: 'published_posted', account, ...given });
/** What a worker does: brings these fields of the post, as given, to its network. */
const edit = (post: Post, ...changed: EditablePath[]): Promise<EditResult> =>
  createSandboxNetwork({ store: createSandboxStore(gateway.db.pool), clock }).edit({
    account,
    credentials: {},
    remoteId: post.id,
    post,
    changed: new Set(changed),
  });
const textThere = async (post: Post): Promise<string> =>
  (await ask('GET', `/${post.id}`)).body.text;
const expectRefusal = ({ status, body }: Reply, expected: number, code: string): void =>
  expect({ status, code: body.code }).toEqual({ status: expected, code });

describe('a post on the sandbox network', () => {
  it('is as it was published until an edit arrives, and then has what that one named', async () => {
    const post = await published({ text: 'Old', title: 'Warning', details: { language: 'en' } });
    const { status, body } = await ask('GET', `/${post.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: post.id,
      network: 'mastodon',
      account_id: account.id,
      type: 'status',
      text: 'Old',
      title: 'Warning',
      language: 'en',
      edits: 0,
      edited_at: null,
    });

    expect(
      await edit(
        { ...post, text: 'New', title: null, details: { language: 'de' } },
        'text',
        'details.language',
      ),
    ).toEqual({ kind: 'edited' });
    expect((await ask('GET', `/${post.databaseId}`)).body).toEqual({
      ...body,
      text: 'New',
      language: 'de',
      edits: 1,
      edited_at: '2026-11-21T08:00:00+00:00',
    });
  });

  it('does not change with what the service saves', async () => {
    const post = await published({ text: 'Old' });
    expect(
      (await gateway.v1('PUT', `/posts/${post.id}`, { body: { post: { text: 'Saved' } } })).body
        .text,
    ).toBe('Saved');
    expect(await textThere(post)).toBe('Old');
    await edit({ ...post, title: 'Title' }, 'title');
    expect(await textThere(post)).toBe('Old');
  });

  it('of a blog has its blocks, slug and picture', async () => {
    const blog = await records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'wordpress',
      type: 'blog',
      sandbox: true,
    });
    const content = [{ type: 'paragraph' as const, data: { text: 'Old' } }];
    const picture = await records.aMedia({ workspaceId: owner.workspace.id });
    const post = await published({
      account: blog,
      type: 'article',
      content,
      url: 'old-slug',
      featuredMedia: picture,
      tags: ['a'],
    });
    expect((await ask('GET', `/${post.id}`)).body).toMatchObject({
      content,
      url: 'old-slug',
      tags: ['a'],
      featured_media: { id: picture.id },
    });
    await edit({ ...post, url: 'new-slug', featuredMedia: null }, 'url', 'featuredMedia');
    expect((await ask('GET', `/${post.id}`)).body).toMatchObject({
      content,
      url: 'new-slug',
      tags: ['a'],
      featured_media: null,
    });
  });

  it('can be deleted there, behind the service’s back', async () => {
    const post = await published();
    expect((await ask('DELETE', `/${post.id}`)).body).toEqual({ deleted_ids: [post.id] });
    for (const method of ['GET', 'DELETE'])
      expectRefusal(await ask(method, `/${post.id}`), 404, 'NOT_IN_SANDBOX');
    expect((await gateway.v1('GET', `/posts/${post.id}`)).body.state).toBe('published_posted');
    expect(await edit({ ...post, text: 'New' }, 'text')).toMatchObject({
      kind: 'failed',
      code: 'NETWORK_POST_DELETED',
    });
  });
});

describe('what is not there', () => {
  it('is told apart as v1 does it, and then by whether it can be there', async () => {
    const elsewhere = await records.aViewer();
    const foreign = await records.aPost({ by: elsewhere, cell: 'published_posted' });
    const secret = await records.aPost({
      by: await records.aViewer({ workspaceId: owner.workspace.id }),
      cell: 'draft_private_dated',
      account,
    });
    const real = await records.aPost({ by: owner, cell: 'published_posted' });
    const scheduled = await records.aPost({ by: owner, account });
    const deleted = await published({ cell: 'published_deleted' });
    for (const path of ['', '/faults']) {
      expectRefusal(await ask('GET', `/${UNKNOWN}${path}`), 422, 'POST_NOT_FOUND');
      expectRefusal(await ask('GET', `/nonsense${path}`), 422, 'POST_NOT_FOUND');
      expectRefusal(await ask('GET', `/${foreign.id}${path}`), 403, 'FORBIDDEN');
      expectRefusal(await ask('GET', `/${secret.id}${path}`), 403, 'FORBIDDEN');
      expectRefusal(await ask('GET', `/${real.id}${path}`), 404, 'NOT_IN_SANDBOX');
    }
    expectRefusal(await ask('GET', `/${scheduled.id}`), 404, 'NOT_IN_SANDBOX');
    expectRefusal(await ask('GET', `/${deleted.id}`), 404, 'NOT_IN_SANDBOX');
    expectRefusal(await ask('GET', `/${scheduled.id}/else`), 404, 'NOT_FOUND');
  });

  it('is behind the gate, routes and all', async () => {
    for (const path of ['/sandbox', '/sandbox/clock', '/sandbox/x/y/z', '/Sandbox/7']) {
      expect((await gateway.ask(path, { asking: { key: null } })).status).toBe(401);
    }
    const { headers } = await ask('GET', '/clock');
    expect(headers.get('x-ratelimit-limit')).not.toBeNull();
    expectRefusal(
      await gateway.ask('/sandbox/clock', { asking: { workspace: null } }),
      403,
      'MISSING_WORKSPACE',
    );
  });

  it('may be seen by readers and changed by editors of the post', async () => {
    const post = await published();
    const seer = await records.aViewer({ workspaceId: owner.workspace.id, role: 'viewer' });
    const stranger = await records.aViewer({ workspaceId: owner.workspace.id, role: 'editor' });
    const reader = await records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'admin',
      scopes: ['posts:read'],
    });
    const before = await everyRow(gateway.db.pool);
    for (const who of [seer, stranger, reader]) {
      expect((await ask('GET', `/${post.id}`, undefined, who)).status).toBe(200);
      expect((await ask('GET', `/${post.id}/faults`, undefined, who)).body).toEqual(NONE);
      const code = who === reader ? 'MISSING_SCOPE' : 'FORBIDDEN';
      expectRefusal(await ask('PUT', `/${post.id}/faults`, { delay_ms: 1 }, who), 403, code);
      expectRefusal(await ask('DELETE', `/${post.id}/faults`, undefined, who), 403, code);
      expectRefusal(await ask('DELETE', `/${post.id}`, undefined, who), 403, code);
      if (who !== stranger)
        expectRefusal(await ask('PUT', '/clock', { advance_seconds: 1 }, who), 403, code);
    }
    expect(await everyRow(gateway.db.pool)).toEqual(before);
  });
});

describe('faults', () => {
  it('merge, last as they were told to, and end', async () => {
    const own = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
    const [post, neighbour] = [
      await published({ account: own }),
      await published({ account: own }),
    ];
    const path = `/${post.id}/faults`;
    expect(
      (await ask('PUT', path, { fail: { code: 'NETWORK_REFUSED', times: 2 }, delay_ms: 5 })).body,
    ).toEqual({ ...NONE, fail: { code: 'NETWORK_REFUSED', times: 2 }, delay_ms: 5 });
    expect((await ask('PUT', path, { delay_ms: null })).body).toEqual({
      ...NONE,
      fail: { code: 'NETWORK_REFUSED', times: 2 },
    });
    expect(await edit({ ...neighbour, text: 'New' }, 'text')).toEqual({ kind: 'edited' });
    const refused = {
      kind: 'failed',
      code: 'NETWORK_REFUSED',
      message: 'The sandbox network says: The network does not accept the change (400, 422).',
    };
    expect(await edit({ ...post, text: 'New' }, 'text')).toEqual(refused);
    expect((await ask('GET', path)).body.fail).toEqual({ code: 'NETWORK_REFUSED', times: 1 });
    expect(await edit({ ...post, text: 'New' }, 'text')).toEqual(refused);
    expect(await textThere(post)).toBe(post.text);
    expect(await edit({ ...post, text: 'New' }, 'text')).toEqual({ kind: 'edited' });

    await ask('PUT', path, {
      fail: { code: 'NETWORK_UNAVAILABLE' },
      delay_ms: 9,
      rate_limit_seconds: 60,
      token_expired: true,
    });
    expect((await ask('GET', path)).body).toEqual({
      fail: { code: 'NETWORK_UNAVAILABLE', times: 1 },
      delay_ms: 9,
      rate_limit_seconds: 60,
      token_expired: true,
    });
    expect((await ask('GET', `/${neighbour.id}/faults`)).body).toEqual({
      ...NONE,
      rate_limit_seconds: 60,
      token_expired: true,
    });
    expect((await ask('DELETE', path)).body).toEqual(NONE);
    expect(await edit({ ...post, text: 'Newer' }, 'text')).toEqual({ kind: 'edited' });
  });

  it('take their time', async () => {
    const post = await published();
    await ask('PUT', `/${post.id}/faults`, { delay_ms: 300 });
    const begin = performance.now();
    expect(await edit({ ...post, text: 'Slow' }, 'text')).toEqual({ kind: 'edited' });
    expect(performance.now() - begin).toBeGreaterThan(295);
    expect(await textThere(post)).toBe('Slow');
  });

  it('of the token and of the pace are the account’s; the pace is kept by a clock that can be moved', async () => {
    const own = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
    const [post, neighbour] = [
      await published({ account: own }),
      await published({ account: own }),
    ];
    await ask('PUT', `/${post.id}/faults`, { token_expired: true, rate_limit_seconds: 600 });
    expect(await edit({ ...neighbour, text: 'New' }, 'text')).toMatchObject({
      code: 'NETWORK_REAUTHORIZATION_NEEDED',
    });
    await ask('PUT', `/${neighbour.id}/faults`, { token_expired: false });
    expect(await edit({ ...post, text: 'New' }, 'text')).toMatchObject({
      code: 'NETWORK_RATE_LIMITED',
      retryAfterMs: 600_000,
    });

    expect((await ask('PUT', '/clock', { advance_seconds: 599 })).body).toEqual({
      now: '2026-11-21T08:09:59+00:00',
      advance_seconds: 599,
    });
    expect(await edit({ ...post, text: 'New' }, 'text')).toMatchObject({
      code: 'NETWORK_RATE_LIMITED',
      retryAfterMs: 1_000,
    });
    clock.time = new Date(clock.time.getTime() + 1_000);
    expect((await ask('GET', '/clock')).body).toEqual({
      now: '2026-11-21T08:10:00+00:00',
      advance_seconds: 599,
    });
    expect(await edit({ ...post, text: 'New' }, 'text')).toEqual({ kind: 'edited' });
    expect((await ask('PUT', '/clock', { advance_seconds: 0 })).body.advance_seconds).toBe(0);
  });

  it('of the token, when it ends, connects the account again', async () => {
    const own = await records.anAccount({
      workspaceId: owner.workspace.id,
      sandbox: true,
      needsReauth: true,
    });
    const [post, waiting] = [
      await published({ account: own }),
      await records.aPost({ by: owner, account: own, cell: 'scheduled_reauth' }),
    ];
    const standing = async () => [
      (await gateway.db.prisma.account.findUniqueOrThrow({ where: { id: own.id } })).needsReauth,
      (await gateway.v1('GET', `/posts/${waiting.id}`)).body.state,
    ];
    await ask('PUT', `/${post.id}/faults`, { token_expired: true, delay_ms: 1 });
    await ask('PUT', `/${post.id}/faults`, { delay_ms: null });
    expect(await standing()).toEqual([true, 'scheduled_reauth']);
    await ask('PUT', `/${post.id}/faults`, { token_expired: null });
    expect(await standing()).toEqual([false, 'scheduled']);
  });

  it('can delete the post there', async () => {
    const post = await published();
    await ask('PUT', `/${post.id}/faults`, { fail: { code: 'NETWORK_POST_DELETED' } });
    expect(await edit({ ...post, text: 'New' }, 'text')).toMatchObject({
      code: 'NETWORK_POST_DELETED',
    });
    expectRefusal(await ask('GET', `/${post.id}`), 404, 'NOT_IN_SANDBOX');
  });

  it.each([
    ['/faults', [], ['must be an object']],
    ['/faults', undefined, ['must be an object']],
    [
      '/faults',
      {
        fail: { code: 'OOPS', times: 0, why: 1 },
        delay: 3,
        rate_limit_seconds: 86_401,
        token_expired: 'yes',
        delay_ms: 20_001,
      },
      [
        'delay: unknown key; allowed: fail, delay_ms, rate_limit_seconds, token_expired',
        'fail.why: unknown key; allowed: code, times',
        expect.stringMatching(/^fail\.code: must be one of: NETWORK_REAUTHORIZATION_NEEDED, /),
        'fail.times: must be a whole number from 1 to 1000',
        'delay_ms: must be a whole number from 1 to 20000',
        'rate_limit_seconds: must be a whole number from 1 to 86400',
        'token_expired: must be true or false',
      ],
    ],
    ['/faults', { fail: {} }, ['fail: needs code']],
    [
      '/faults?dry_run=true',
      { delay_ms: 0 },
      [
        expect.stringMatching(/^dry_run: unknown parameter/),
        'delay_ms: must be a whole number from 1 to 20000',
      ],
    ],
    ['clock', { advance_seconds: null }, ['advance_seconds: cannot be null']],
    [
      'clock',
      { advance_seconds: -1, seconds: 3 },
      [
        'seconds: unknown key; allowed: advance_seconds',
        'advance_seconds: must be a whole number from 0 to 31536000',
      ],
    ],
  ])('%s refuses %j with every problem', async (path, body, errors) => {
    const before = await everyRow(gateway.db.pool);
    const reply = await ask(
      'PUT',
      path.startsWith('/') ? `/${(await published()).id}${path}` : `/${path}`,
      body,
    );
    expect(reply.body.errors).toEqual(errors);
    expectRefusal(reply, 400, 'BAD_USER_INPUT');
    const { post: _post, ...after } = await everyRow(gateway.db.pool);
    for (const table of ['sandbox_post', 'sandbox_fault', 'sandbox_account', 'sandbox_clock'])
      expect(after[table]).toEqual(before[table]);
  });
});

describe('the clock', () => {
  it('hastens what waits on the sandbox in this workspace alone, and is never set back for it', async () => {
    const due = new Date(clock.time.getTime() + 100_000);
    const real = await records.anAccount({ workspaceId: owner.workspace.id });
    const other = await records.aViewer();
    const posts = {
      waits: await published(),
      leased: await published(),
      ended: await published(),
      real: await published({ account: real }),
      elsewhere: await records.aPost({
        by: other,
        cell: 'published_posted',
        account: await records.anAccount({ workspaceId: other.workspace.id, sandbox: true }),
      }),
    };
    for (const [id, { databaseId: postId, workspaceId }] of Object.entries(posts)) {
      await gateway.db.prisma.job.create({
        data: {
          id: `job_${id}`,
          workspaceId,
          postId,
          kind: 'network_edit',
          dueAt: due,
          status: id === 'ended' ? 'failed' : 'working',
          finishedAt: id === 'ended' ? clock.time : null,
          leasedUntil: id === 'leased' ? due : null,
        },
      });
    }
    const waiting = async () =>
      Object.fromEntries(
        (
          await gateway.db.prisma.job.findMany({
            where: { id: { startsWith: 'job_' }, dueAt: { not: due } },
            select: { id: true, dueAt: true },
          })
        )
          .filter(({ id }) => id.slice(4) in posts)
          .map(({ id, dueAt }) => [id, (dueAt.getTime() - clock.time.getTime()) / 1000]),
      );
    await ask('PUT', '/clock', { advance_seconds: 30 });
    expect(await waiting()).toEqual({ job_waits: 70 });
    await ask('PUT', '/clock', { advance_seconds: 30 });
    await ask('PUT', '/clock', { advance_seconds: 10 });
    expect(await waiting()).toEqual({ job_waits: 70 });
    await ask('PUT', '/clock', { advance_seconds: 80 });
    expect(await waiting()).toEqual({ job_waits: 0 });
  });
});
