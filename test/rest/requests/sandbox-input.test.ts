import { allRows } from '../../fixtures/database-rows.js';
import type { TestGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../../fixtures/records.js';
import { expectSandboxError, openSandboxGateway, type SandboxGateway } from '../sandbox-gateway.js';

let gateway: TestGateway;
let records: Records;
let owner: KeyedViewer;
let clock: SandboxGateway['clock'];
let send: SandboxGateway['send'];
let published: SandboxGateway['published'];

beforeAll(async () => {
  ({ gateway, clock, send, published } = await openSandboxGateway());
  ({ records, owner } = gateway);
});
afterAll(() => gateway.close());

describe('invalid input', () => {
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
