import { STREAM_LIMITS } from '../../../src/domain/events/stream-limits.js';
import { openStream, type OpenStream } from '../../fixtures/event-stream.js';
import { gatewayWith, type TestGateway } from '../../fixtures/gateway.js';
import { expectSeries } from '../../fixtures/metric-series.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { runCli } from '../../../src/cli/run-command.js';
import { cliDependencies, piped } from '../../fixtures/operator.js';
import { settled } from '../../fixtures/settled.js';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await gatewayWith({ metricsPort: 0 });
});
const open: OpenStream[] = [];
afterEach(async () => {
  open.splice(0).forEach((stream) => stream.close());
  await gateway.close();
});

async function subscribe(as: KeyedViewer = gateway.owner): Promise<OpenStream> {
  await settled(gateway.db.pool); // no event of before is sent
  const stream = await openStream({
    url: gateway.url,
    key: as.apiKey,
    workspaceId: as.workspace.id,
    query: 'subscription { events { type postId post { text } } }',
  });
  open.push(stream);
  return stream;
}

/** Runs a command of an operator on the database of the gateway. */
async function cli(...args: string[]): Promise<void> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const code = await runCli(args, cliDependencies({ DATABASE_URL: gateway.db.url }), {
    out: print,
    err: print,
    input: piped(''),
  });
  expect([code, lines.join('\n')]).toEqual([0, expect.any(String)]);
}

const update = (id: string, text: string) =>
  gateway.v1('PUT', `/posts/${id}`, { body: { post: { text } } });

/** The rest of a stream that its first message, the start position, was read of. */
const endOf = async (stream: OpenStream): Promise<unknown[]> =>
  (await stream.rest())
    .slice(1)
    .map(({ event, data }) => [event, data?.errors?.[0].extensions.code]);

const EXPECTED_END = (code: string): unknown[] => [
  ['next', code],
  ['complete', undefined],
];

test('the streams of a revoked key end at the next check', async () => {
  const stream = await subscribe();
  await subscribe(await gateway.records.aViewer());
  const revokedAt = performance.now();
  await gateway.db.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [
    gateway.owner.key.id,
  ]);
  expect(await endOf(stream)).toEqual(EXPECTED_END('UNAUTHENTICATED'));
  expect(performance.now() - revokedAt).toBeLessThan(2 * STREAM_LIMITS.revocationCheckMs + 10_000);
  await expectSeries(gateway.metricsUrl, 'posts_gateway_event_streams', { '': 1 });
  await expectSeries(gateway.metricsUrl, 'posts_gateway_event_streams_ended_total', {
    '{reason="closed"}': 0,
    '{reason="too_slow"}': 0,
    '{reason="shutdown"}': 0,
    '{reason="error"}': 1,
  });
});

test('the streams of a removed member end, and no event is sent after the removal', async () => {
  const { workspace } = gateway.owner;
  const member = await gateway.records.aViewer({ workspaceId: workspace.id, role: 'viewer' });
  const post = await gateway.records.aPost({ by: gateway.owner, storedState: 'draft_undated' });
  const stream = await subscribe(member);
  await cli('members', 'remove', '--workspace', workspace.id, '--user', member.user.id);
  await update(post.id, 'After the removal');
  expect(await endOf(stream)).toEqual(EXPECTED_END('NOT_A_MEMBER'));
});

test('a stream ends when its user loses API access', async () => {
  const stream = await subscribe();
  await cli('users', 'update', gateway.owner.user.id, '--plan', 'free');
  expect(await endOf(stream)).toEqual(EXPECTED_END('PLAN_REQUIRED'));
});

test('a key has 10 streams at once; a closed one makes room', async () => {
  const streams = await Promise.all(
    Array.from({ length: STREAM_LIMITS.perKey }, () => subscribe()),
  );
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const refused = await subscribe();
  expect([refused.status, (await refused.json()).errors]).toEqual([
    429,
    [
      {
        message:
          'The key has 10 open event streams, which is the maximum. Close one of them first.',
        extensions: { code: 'RATE_LIMITED' },
      },
    ],
  ]);
  streams[0]!.close();
  await expectSeries(gateway.metricsUrl, 'posts_gateway_event_streams', { '': 9 });
  expect((await subscribe()).status).toBe(200);
});

test('a stopping gateway ends its streams with a hint, and opens no more', async () => {
  const stream = await subscribe();
  gateway.endStreams();
  expect((await stream.rest()).slice(1)).toEqual([
    { id: undefined, event: undefined, data: undefined, retry: STREAM_LIMITS.retryMs },
  ]);
  const refused = await subscribe();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
});

test('an open stream occupies no place of requests', async () => {
  await gateway.close();
  gateway = await gatewayWith({ metricsPort: 0, maxConcurrentRequests: 1 });
  await subscribe();
  await expectSeries(gateway.metricsUrl, 'posts_gateway_requests_in_flight', { '': 0 });
  expect((await gateway.graphql('{ viewer { plan } }')).status).toBe(200);
});

test('a client that does not read is disconnected when it is 1,000 events behind', async () => {
  const draft = 'x'.repeat(60_000);
  const post = await gateway.records.aPost({
    by: gateway.owner,
    storedState: 'draft_undated',
    type: 'article',
    text: draft,
  });
  const slow = await subscribe();
  const reading = await subscribe();
  const received: number[] = [];
  const read = (async () => {
    for (let n = 0; ; n += 1) {
      await reading.nextResult();
      received.push(n);
    }
  })().catch(() => undefined);
  for (let n = 0; n < 60; n += 1)
    await gateway.db.pool.query(
      `INSERT INTO event (at, workspace_id, api, type, post_id, doc_id, changed, state_before, state_after)
       SELECT now(), $1, 'service', 'post.updated', $2, $3, '{text}', 21, 21 FROM generate_series(1, 100)`,
      [gateway.owner.workspace.id, post.databaseId, post.id],
    );
  await expectSeries(gateway.metricsUrl, 'posts_gateway_event_streams', { '': 1 });
  await expect(slow.rest()).rejects.toThrow('terminated');
  reading.close();
  await read;
});
