import { allRows } from '../../fixtures/database-rows.js';
import type { TestGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../../fixtures/records.js';
import {
  expectSandboxError,
  NO_FAULTS,
  openSandboxGateway,
  type SandboxGateway,
} from './sandbox-gateway.js';

let gateway: TestGateway;
let records: Records;
let owner: KeyedViewer;
let clock: SandboxGateway['clock'];
let send: SandboxGateway['send'];
let published: SandboxGateway['published'];
let edit: SandboxGateway['edit'];
let readRemoteText: SandboxGateway['readRemoteText'];

beforeAll(async () => {
  ({ gateway, clock, send, published, edit, readRemoteText } = await openSandboxGateway());
  ({ records, owner } = gateway);
});
afterAll(() => gateway.close());

describe('faults', () => {
  it('of publications belong to the post, and what the network can tell to its account', async () => {
    const account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
    const [post, other] = [
      await records.aPost({ by: owner, account }),
      await records.aPost({ by: owner, account }),
    ];
    const path = `/${post.id}/faults`;
    const manner = { guarantee: 'compared', list_lag_seconds: 90 };
    expect((await send('PUT', path, { publish: { fault: 'cut_after' }, ...manner })).body).toEqual({
      ...NO_FAULTS,
      ...manner,
      publish: { fault: 'cut_after', times: 1 },
    });
    expect((await send('GET', `/${other.id}/faults`)).body).toEqual({ ...NO_FAULTS, ...manner });
    expect((await send('PUT', path, { publish: null, list_lag_seconds: null })).body).toEqual({
      ...NO_FAULTS,
      guarantee: 'compared',
    });
    expect((await send('DELETE', path)).body).toEqual(NO_FAULTS);
    expect(
      (await send('PUT', path, { publish: {}, guarantee: 'always', list_lag_seconds: 0 })).body
        .errors,
    ).toEqual([
      'publish: requires fault',
      'guarantee: must be one of: exact, compared, cannot_tell',
      'list_lag_seconds: must be a whole number from 1 to 86400',
    ]);
  });

  it('of removals belong to the post', async () => {
    const post = await published();
    const path = `/${post.id}/faults`;
    expect((await send('PUT', path, { remove: { fault: 'error_after', times: 2 } })).body).toEqual({
      ...NO_FAULTS,
      remove: { fault: 'error_after', times: 2 },
    });
    expect((await send('PUT', path, { remove: { fault: 'duplicate' } })).body.errors).toEqual([
      'remove.fault: must be one of: refuse, cut_before, cut_after, error_before, error_after, hang_before, hang_after',
    ]);
    expect((await send('PUT', path, { remove: null })).body).toEqual(NO_FAULTS);
  });

  it('are merged, last for the given number of edits, and can be cleared', async () => {
    const otherAccount = await records.anAccount({
      workspaceId: owner.workspace.id,
      sandbox: true,
    });
    const [post, otherPost] = [
      await published({ account: otherAccount }),
      await published({ account: otherAccount }),
    ];
    const path = `/${post.id}/faults`;
    expect(
      (await send('PUT', path, { fail: { code: 'NETWORK_REFUSED', times: 2 }, delay_ms: 5 })).body,
    ).toEqual({ ...NO_FAULTS, fail: { code: 'NETWORK_REFUSED', times: 2 }, delay_ms: 5 });
    expect((await send('PUT', path, { delay_ms: null })).body).toEqual({
      ...NO_FAULTS,
      fail: { code: 'NETWORK_REFUSED', times: 2 },
    });
    expect(await edit({ ...otherPost, text: 'New' }, 'text')).toEqual({ kind: 'edited' });
    const refused = {
      kind: 'failed',
      code: 'NETWORK_REFUSED',
      message: 'Sandbox network: The network rejected the change.',
    };
    expect(await edit({ ...post, text: 'New' }, 'text')).toEqual(refused);
    expect((await send('GET', path)).body.fail).toEqual({ code: 'NETWORK_REFUSED', times: 1 });
    expect(await edit({ ...post, text: 'New' }, 'text')).toEqual(refused);
    expect(await readRemoteText(post)).toBe(post.text);
    expect(await edit({ ...post, text: 'New' }, 'text')).toEqual({ kind: 'edited' });

    await send('PUT', path, {
      fail: { code: 'NETWORK_UNAVAILABLE' },
      delay_ms: 9,
      rate_limit_seconds: 60,
      token_expired: true,
    });
    expect((await send('GET', path)).body).toEqual({
      ...NO_FAULTS,
      fail: { code: 'NETWORK_UNAVAILABLE', times: 1 },
      delay_ms: 9,
      rate_limit_seconds: 60,
      token_expired: true,
    });
    expect((await send('GET', `/${otherPost.id}/faults`)).body).toEqual({
      ...NO_FAULTS,
      rate_limit_seconds: 60,
      token_expired: true,
    });
    expect((await send('DELETE', path)).body).toEqual(NO_FAULTS);
    expect(await edit({ ...post, text: 'Newer' }, 'text')).toEqual({ kind: 'edited' });
  });

  it('delay edits', async () => {
    const post = await published();
    await send('PUT', `/${post.id}/faults`, { delay_ms: 300 });
    const start = performance.now();
    expect(await edit({ ...post, text: 'Slow' }, 'text')).toEqual({ kind: 'edited' });
    expect(performance.now() - start).toBeGreaterThan(295);
    expect(await readRemoteText(post)).toBe('Slow');
  });

  it('of token and rate limit apply to the account; the rate limit uses the sandbox clock', async () => {
    const otherAccount = await records.anAccount({
      workspaceId: owner.workspace.id,
      sandbox: true,
    });
    const [post, otherPost] = [
      await published({ account: otherAccount }),
      await published({ account: otherAccount }),
    ];
    await send('PUT', `/${post.id}/faults`, { token_expired: true, rate_limit_seconds: 600 });
    expect(await edit({ ...otherPost, text: 'New' }, 'text')).toMatchObject({
      code: 'NETWORK_REAUTHORIZATION_NEEDED',
    });
    await send('PUT', `/${otherPost.id}/faults`, { token_expired: false });
    expect(await edit({ ...post, text: 'New' }, 'text')).toMatchObject({
      code: 'NETWORK_RATE_LIMITED',
      retryAfterMs: 600_000,
    });

    expect((await send('PUT', '/clock', { advance_seconds: 599 })).body).toEqual({
      now: '2026-11-21T08:09:59+00:00',
      advance_seconds: 599,
    });
    expect(await edit({ ...post, text: 'New' }, 'text')).toMatchObject({
      code: 'NETWORK_RATE_LIMITED',
      retryAfterMs: 1_000,
    });
    clock.time = new Date(clock.time.getTime() + 1_000);
    expect((await send('GET', '/clock')).body).toEqual({
      now: '2026-11-21T08:10:00+00:00',
      advance_seconds: 599,
    });
    expect(await edit({ ...post, text: 'New' }, 'text')).toEqual({ kind: 'edited' });
    expect((await send('PUT', '/clock', { advance_seconds: 0 })).body.advance_seconds).toBe(0);
  });

  it('of the token reconnect the account when cleared', async () => {
    const otherAccount = await records.anAccount({
      workspaceId: owner.workspace.id,
      sandbox: true,
      needsReauth: true,
    });
    const [post, reauthPost] = [
      await published({ account: otherAccount }),
      await records.aPost({ by: owner, account: otherAccount, storedState: 'scheduled_reauth' }),
    ];
    const readAccountAndPostState = async () => [
      (await gateway.db.prisma.account.findUniqueOrThrow({ where: { id: otherAccount.id } }))
        .needsReauth,
      (await gateway.v1('GET', `/posts/${reauthPost.id}`)).body.state,
    ];
    await send('PUT', `/${post.id}/faults`, { token_expired: true, delay_ms: 1 });
    await send('PUT', `/${post.id}/faults`, { delay_ms: null });
    expect(await readAccountAndPostState()).toEqual([true, 'scheduled_reauth']);
    await send('PUT', `/${post.id}/faults`, { token_expired: null });
    expect(await readAccountAndPostState()).toEqual([false, 'scheduled']);
  });

  it('can delete the post on the network', async () => {
    const post = await published();
    await send('PUT', `/${post.id}/faults`, { fail: { code: 'NETWORK_POST_DELETED' } });
    expect(await edit({ ...post, text: 'New' }, 'text')).toMatchObject({
      code: 'NETWORK_POST_DELETED',
    });
    expectSandboxError(await send('GET', `/${post.id}`), 404, 'NOT_IN_SANDBOX');
  });
});

describe('invalid input', () => {
  it.each([
    ['/faults', [], ['body: must be an object']],
    ['/faults', undefined, ['body: must be an object']],
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
        'delay: unknown key; allowed: fail, delay_ms, rate_limit_seconds, token_expired, publish, remove, guarantee, list_lag_seconds',
        'fail.why: unknown key; allowed: code, times',
        expect.stringMatching(/^fail\.code: must be one of: NETWORK_REAUTHORIZATION_NEEDED, /),
        'fail.times: must be a whole number from 1 to 1000',
        'delay_ms: must be a whole number from 1 to 20000',
        'rate_limit_seconds: must be a whole number from 1 to 86400',
        'token_expired: must be true or false',
      ],
    ],
    ['/faults', { fail: {} }, ['fail: requires code']],
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
  ])('%s rejects %j and reports every problem', async (path, body, errors) => {
    const before = await allRows(gateway.db.pool);
    const response = await send(
      'PUT',
      path.startsWith('/') ? `/${(await published()).id}${path}` : `/${path}`,
      body,
    );
    expect(response.body.errors).toEqual(errors);
    expectSandboxError(response, 400, 'BAD_USER_INPUT');
    const { post: _post, ...after } = await allRows(gateway.db.pool);
    for (const table of ['sandbox_post', 'sandbox_fault', 'sandbox_account', 'sandbox_clock'])
      expect(after[table]).toEqual(before[table]);
  });
});

describe('the sandbox clock', () => {
  it('advances waiting sandbox jobs of this workspace only, and never delays them again', async () => {
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
        storedState: 'published_posted',
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
    const readAdvancedJobs = async () =>
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
    await send('PUT', '/clock', { advance_seconds: 30 });
    expect(await readAdvancedJobs()).toEqual({ job_waits: 70 });
    await send('PUT', '/clock', { advance_seconds: 30 });
    await send('PUT', '/clock', { advance_seconds: 10 });
    expect(await readAdvancedJobs()).toEqual({ job_waits: 70 });
    await send('PUT', '/clock', { advance_seconds: 80 });
    expect(await readAdvancedJobs()).toEqual({ job_waits: 0 });
  });
});
