import { openStream, type StreamMessage } from '../../fixtures/event-stream.js';
import { gatewayWith } from '../../fixtures/gateway.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 7;

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
beforeEach(async () => {
  aheadMs = 0;
});
const gateway = forEachTest(
  () => gatewayWith({ clock, eventRetentionDays: RETENTION_DAYS }),
  'close',
);

const open = (variables: object, headers: Record<string, string> = {}) =>
  openStream({
    url: gateway.url,
    key: gateway.owner.apiKey,
    workspaceId: gateway.owner.workspace.id,
    query: 'subscription ($after: String) { events(after: $after) { type cursor } }',
    variables: variables as Record<string, unknown>,
    headers,
  });
const problemsOf = (messages: readonly StreamMessage[]): unknown[] =>
  messages.map(({ event, data }) => [event, data?.errors?.[0].extensions.code]);
const EXPIRED = [
  ['next', 'CURSOR_EXPIRED'],
  ['complete', undefined],
];

/** The cursor of an event. */
async function aCursor(): Promise<string> {
  const stream = await open({});
  await gateway.records.aPost({ by: gateway.owner, storedState: 'draft_undated' });
  const { cursor } = (await stream.nextResult()).data.events;
  stream.close();
  return cursor;
}

const events = async (): Promise<number> =>
  (await gateway.db.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM event'))
    .rows[0]!.count;

it('a stream does not continue from a cursor whose events were purged, and says so', async () => {
  const after = await aCursor();
  aheadMs = RETENTION_DAYS * DAY_MS - 60_000;
  const inTime = await open({ after });
  expect(inTime.status).toBe(200);
  inTime.close();

  aheadMs = 3 * RETENTION_DAYS * DAY_MS; // partitions are dropped by whole weeks
  await gateway.db.pool.query("INSERT INTO job (id, kind) VALUES ('job_purge', 'purge')");
  gateway.startWorker();
  await waitFor(async () => (await events()) === 0);
  expect(problemsOf(await (await open({ after })).rest())).toEqual(EXPIRED);
  expect(problemsOf(await (await open({}, { 'Last-Event-ID': after })).rest())).toEqual(EXPIRED);
  const { status, body } = await gateway.v1('GET', `/posts/changes?after=${after}`);
  expect([status, body.code]).toEqual([410, 'CURSOR_EXPIRED']);
});

it('a stream that is open is not affected by the purge', async () => {
  const stream = await open({});
  aheadMs = 3 * RETENTION_DAYS * DAY_MS;
  await gateway.db.pool.query("INSERT INTO job (id, kind) VALUES ('job_purge', 'purge')");
  gateway.startWorker();
  await waitFor(
    async () =>
      (
        await gateway.db.pool.query(
          "SELECT FROM job WHERE id = 'job_purge' AND status = 'completed'",
        )
      ).rowCount === 1,
  );
  await gateway.records.aPost({ by: gateway.owner, storedState: 'draft_undated' });
  expect((await stream.nextResult()).data.events.type).toBe('POST_CREATED');
  stream.close();
});
