import { capFor } from '../../src/domain/caps/daily-caps.js';
import type { Account } from '../../src/domain/posts/post.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { dataInconsistencies } from '../fixtures/data-inconsistencies.js';
import { mutation } from './gateway-client.js';
import {
  UNAVAILABLE,
  V1_ERROR_CODES,
  codeOf,
  countEach,
  retryUntilKnown,
  unexpectedCodes,
} from './outcomes.js';
import type { TestEnvironment } from './environment.js';

const POSTS = 40;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEKDAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

/** A post to create: with a time, or in the next free slot of the queue. */
interface NewPost {
  readonly accountId: string;
  /** Unique: it is the idempotency key, too. */
  readonly text: string;
  readonly scheduledAt: string | null;
}

/** Creates a post through GraphQL or, every other time, through v1. Returns `done`, or a code. */
async function create(
  { gatewayClient, members }: TestEnvironment,
  index: number,
  { accountId, text, scheduledAt }: NewPost,
): Promise<string> {
  const as = members[index % members.length]!;
  const gateway = index >> 1;
  if (index % 2 === 0) {
    const input = {
      targets: [{ accountId }],
      post: { type: 'STATUS', text },
      mode: scheduledAt ? 'SCHEDULE' : 'ADD_TO_QUEUE',
      scheduledAt,
      idempotencyKey: text,
    };
    return codeOf(
      await gatewayClient.send(gateway, mutation(as, 'createPosts', input, 'posts { id }')),
    );
  }
  const entry = {
    networks: { default: { type: 'status', text } },
    accounts: [{ id: accountId, ...(scheduledAt && { scheduled_at: scheduledAt }) }],
    ...(!scheduledAt && { auto: true }),
  };
  const { status, body } = await gatewayClient.send(gateway, {
    as,
    method: 'POST',
    path: '/v1/posts/schedule',
    headers: { 'Idempotency-Key': text },
    body: { bulk: { state: 'scheduled', posts: [entry] } },
  });
  if (status !== 202) return V1_ERROR_CODES[status] ?? `${status} ${JSON.stringify(body)}`;
  const path = `/v1/job_status/${body.job_id}`;
  const job = await gatewayClient.send(gateway, { as, method: 'GET', path });
  if (job.body.payload.posts.length === 1) return 'done';
  const messages = JSON.stringify(job.body.payload.failures);
  return messages.includes('limit of') ? 'DAILY_LIMIT_EXCEEDED' : messages;
}

/** Creates posts concurrently through both APIs of all gateways. */
const createAll = (
  environment: TestEnvironment,
  posts: readonly NewPost[],
  firstCodes: string[],
): Promise<string[]> =>
  Promise.all(
    posts.map((post, index) =>
      retryUntilKnown(
        () => create(environment, index, post),
        (code) => code,
        firstCodes,
      ),
    ),
  );

const newAccount = (
  { gateways: { records } }: TestEnvironment,
  { workspace }: KeyedViewer,
): Promise<Account> =>
  records.anAccount({ workspaceId: workspace.id, network: 'telegram', type: 'channel' });

async function scheduledTimes(
  { gateways: { db } }: TestEnvironment,
  { id }: Account,
): Promise<number[]> {
  const { rows } = await db.pool.query<{ at: Date }>(
    'SELECT scheduled_at AS at FROM post WHERE account_id = $1 AND deleted_at IS NULL',
    [id],
  );
  return rows.map(({ at }) => at.getTime());
}

/**
 * Creates 40 posts for one day of an account concurrently through two gateways: as many are created
 * as its daily cap allows (D39).
 * @returns the violations and a summary of the run
 */
export async function contendedCreations(
  environment: TestEnvironment,
  rounds: number,
): Promise<{ violations: string[]; summary: string }> {
  const [owner] = environment.members;
  const { limit } = capFor({
    network: 'telegram',
    accountType: 'channel',
    postType: 'status',
    plan: owner.workspace.plan,
  });
  const [violations, codes, firstCodes]: [string[], string[], string[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const account = await newAccount(environment, owner);
    const day = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 300 * DAY_MS;
    const posts = Array.from({ length: POSTS }, (_none, index) => ({
      accountId: account.id,
      text: `Round ${round}, post ${index}`,
      scheduledAt: new Date(day + index * MINUTE_MS).toISOString(),
    }));
    const outcomes = await createAll(environment, posts, firstCodes);
    codes.push(...outcomes);
    const created = outcomes.filter((code) => code === 'done').length;
    const stored = (await scheduledTimes(environment, account)).length;
    if (created !== limit || stored !== limit)
      violations.push(
        `round ${round}: ${created} posts acknowledged and ${stored} stored; the cap is ${limit}`,
      );
  }
  return {
    violations: [
      ...violations,
      ...unexpectedCodes(firstCodes, new Set(['done', 'DAILY_LIMIT_EXCEEDED', UNAVAILABLE])),
      ...(await dataInconsistencies(environment.gateways.db, [owner])),
    ],
    summary: `${rounds} rounds of ${POSTS} creations with a cap of ${limit}: ${countEach(codes)}; first responses: ${countEach(firstCodes)}`,
  };
}

/**
 * Adds 40 posts to the queue of one account concurrently through two gateways: each gets a slot of
 * its own, and none is left out (D61).
 * @returns the violations and a summary of the run
 */
export async function contendedQueues(
  environment: TestEnvironment,
  rounds: number,
): Promise<{ violations: string[]; summary: string }> {
  const [owner] = environment.members;
  const slots = WEEKDAYS.flatMap((weekday) =>
    ['08', '12', '16', '20'].map((hour) => ({ weekday, time: `${hour}:00` })),
  );
  const [violations, codes, firstCodes]: [string[], string[], string[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const account = await newAccount(environment, owner);
    const schedule = { accountId: account.id, timeZone: 'UTC', slots };
    const request = mutation(owner, 'setPostingSchedule', schedule, 'account { id }');
    const { status, body } = await environment.gatewayClient.send(round, request);
    if (status !== 200 || body.errors) violations.push(JSON.stringify(body));
    const posts = Array.from({ length: POSTS }, (_none, index) => ({
      accountId: account.id,
      text: `Queue ${round}, post ${index}`,
      scheduledAt: null,
    }));
    codes.push(...(await createAll(environment, posts, firstCodes)));
    const times = (await scheduledTimes(environment, account)).sort((a, b) => a - b);
    const isEachOwn = new Set(times).size === POSTS && times.length === POSTS;
    const isWithoutGaps = times.at(-1)! - times[0]! <= (POSTS / 4) * DAY_MS;
    if (!isEachOwn || !isWithoutGaps)
      violations.push(
        `round ${round}: ${times.length} posts have ${new Set(times).size} different times from ${new Date(times[0]!).toISOString()} to ${new Date(times.at(-1)!).toISOString()}`,
      );
  }
  return {
    violations: [
      ...violations,
      ...unexpectedCodes(firstCodes, new Set(['done', UNAVAILABLE])),
      ...(await dataInconsistencies(environment.gateways.db, [owner])),
    ],
    summary: `${rounds} rounds of ${POSTS} posts added to one queue: ${countEach(codes)}; first responses: ${countEach(firstCodes)}`,
  };
}
