import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenDatabase } from '../../src/persistence/database.js';
import { responseViolations } from './response-rules.js';
import { EVENTS_SQL, eventViolations } from './event-violations.js';
import type { GatewayClient } from './gateway-client.js';
import type { ChangeResult } from './change-formats.js';
import { revisionViolations } from './revision-violations.js';
import type { Deployment } from './deployment.js';
import type { EventClients } from './received-events.js';
import type { Change, RequestHistory } from './request-history.js';
import { rowViolations, type Inspected } from './row-violations.js';
import type { TestPosts } from './test-posts.js';

/** A killed worker keeps its jobs until their leases expire, 20 s later. */
const JOBS_TIMEOUT_MS = 90_000;
/**
 * Without progress. Each outage leaves messages whose leases expire after 30 s, and the receiver gets
 * no others meanwhile: many can be left at the end of a long run.
 */
const MESSAGES_TIMEOUT_MS = 90_000;
const CONCURRENT_REPLAYS = 8;
/** Reported violations: the first ones show what is wrong. */
const MAX_REPORTED = 30;

interface TestRun {
  readonly deployment: Pick<Deployment, 'database' | 'gateways' | 'workers'>;
  readonly history: RequestHistory;
  readonly testPosts: TestPosts;
  readonly gatewayClient: GatewayClient;
  readonly eventClients: EventClients;
}

async function unfinishedJobs({ pool }: OpenDatabase): Promise<string[]> {
  const deadline = performance.now() + JOBS_TIMEOUT_MS;
  for (;;) {
    const { rows } = await pool.query<{ id: string; attempts: number }>(
      "SELECT id, attempts FROM job WHERE status = 'working'",
    );
    if (rows.length === 0 || performance.now() > deadline)
      return rows.map(
        ({ id, attempts }) => `the job ${id} has not finished after ${attempts} attempts`,
      );
    await sleep(200);
  }
}

/** Webhooks that have events without a delivery, or deliveries that are not finished. */
const UNDELIVERED = `SELECT * FROM (SELECT w.id,
    (SELECT count(*)::int FROM event e WHERE e.workspace_id = w.workspace_id AND (e.transaction_id, e.sequence) > (w.read_transaction, w.read_sequence)) AS events,
    (SELECT count(*)::int FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.status = 'pending') AS deliveries
  FROM webhook w) AS open WHERE events > 0 OR deliveries > 0`;

interface Undelivered {
  readonly id: string;
  readonly events: number;
  readonly deliveries: number;
}

/** Waits until subscribers and the receiver of the webhook have everything, and closes them. */
async function receiptViolations(
  { pool }: OpenDatabase,
  { eventClients, testPosts }: TestRun,
): Promise<string[]> {
  let least = Infinity;
  let deadline = Infinity;
  const undelivered = async (): Promise<Undelivered[]> =>
    (await pool.query<Undelivered>(UNDELIVERED)).rows;
  for (let open = await undelivered(); open.length > 0; open = await undelivered()) {
    const count = open.reduce((sum, { events, deliveries }) => sum + events + deliveries, 0);
    if (count < least) deadline = performance.now() + MESSAGES_TIMEOUT_MS;
    if (performance.now() > deadline) break;
    least = Math.min(least, count);
    await sleep(200);
  }
  const events = await pool.query<{ id: string }>(EVENTS_SQL, [testPosts.viewer.workspace.id]);
  await eventClients.catchUp(events.rows.at(-1)!.id);
  await eventClients.close();
  return (await undelivered()).map(
    ({ id, events, deliveries }) =>
      `the webhook ${id} has ${events} events without a delivery and ${deliveries} open deliveries`,
  );
}

const describe = (result: ChangeResult | null): string =>
  JSON.stringify(result && [result.outcome, result.version, result.job, result.text]);

/**
 * A change repeated with its idempotency key gets the same result, and v1 marks the response as
 * replayed. That it is not applied twice is checked in the revisions.
 */
async function replayViolations({ history, gatewayClient }: TestRun): Promise<string[]> {
  const violations: string[] = [];
  const remaining = history.changes.filter(
    (change): change is Change & ChangeResult =>
      change.key !== null && change.outcome !== 'unknown',
  );
  const replayNext = async (): Promise<void> => {
    for (let change = remaining.pop(); change; change = remaining.pop()) {
      const { kind, mark, request, readResult, outcome } = change;
      const response = await gatewayClient.send(remaining.length % gatewayClient.count, request);
      const replayed = readResult(response);
      const isMarkedReplayed =
        outcome !== 'acknowledged' ||
        request.method === 'POST' ||
        response.headers['idempotency-replayed'] === 'true';
      if (describe(replayed) !== describe(change) || !isMarkedReplayed)
        violations.push(
          `${kind} ${mark} got ${describe(change)}, and when repeated ${response.status} ${response.code} ${describe(replayed)}${isMarkedReplayed ? '' : ' without Idempotency-Replayed'}`,
        );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REPLAYS }, replayNext));
  return violations;
}

/** Any line at the level `error` is a bug in the service. */
export const loggedErrors = ({
  gateways,
  workers,
}: Pick<Deployment, 'gateways' | 'workers'>): string[] =>
  [...gateways, ...workers]
    .flatMap((process) =>
      process
        .log()
        .split('\n')
        .filter((line) => line !== ''),
    )
    .map((line) => `logged: ${line.slice(0, 600)}`);

/** Compares the database with the request history: one line per violation. */
export async function findDataViolations(
  database: Inspected,
  { history, testPosts }: Pick<TestRun, 'history' | 'testPosts'>,
): Promise<string[]> {
  return [
    ...(await revisionViolations(database, history, testPosts)),
    ...(await rowViolations(database, history, testPosts)),
    ...(await eventViolations(database, history, testPosts)),
  ];
}

/** Waits until all jobs have finished, then checks everything: one line per violation. */
export async function findViolations(run: TestRun): Promise<string[]> {
  const { deployment, history } = run;
  const database = await deployment.database();
  try {
    const violations = [
      ...history.violations,
      ...responseViolations(history),
      ...(await unfinishedJobs(database)),
      ...(await replayViolations(run)),
      ...(await receiptViolations(database, run)),
      ...(await findDataViolations(database, run)),
      ...loggedErrors(deployment),
    ];
    return violations.length > MAX_REPORTED
      ? [...violations.slice(0, MAX_REPORTED), `… and ${violations.length - MAX_REPORTED} more`]
      : violations;
  } finally {
    await database.close();
  }
}
