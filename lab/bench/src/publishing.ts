import pg from 'pg';
import { createTemporaryDatabase } from './database.js';
import { machineLine } from './machine.js';
import type { Options } from './options.js';
import { createDatabase, createDuePosts, setUpSession } from './product.js';
import { logProgress } from './progress.js';
import { publish, type PublicationCost } from './publication-run.js';
import { ACCOUNTS, addAccounts, scheduleForLater, type Lateness } from './publishing-posts.js';
import { median } from './results.js';
import { figure, textTable, type Row } from './text-table.js';
import { backends, measureCpu } from './usage.js';

const RATE = 100; // posts per second
const AT_ONCE = 10_000;
const GOAL_LATE_SECONDS = 3;
const GOAL_CPU_MS = 5;
const GOAL_SWEEP_MS = 2;
const SWEEPS = 1_000;
const WARM_UP_SWEEPS = 20;
const SWEEP_SIZE = 1_000;
interface Sweep {
  /** Milliseconds: median and 99th percentile. */
  readonly median: number;
  readonly p99: number;
  /** CPU of the database in milliseconds. */
  readonly cpu: number;
}

/** The search for due posts when none is due, on a connection that is set up as those of workers. */
async function measureSweep(database: { url: string }): Promise<Sweep> {
  const pool = new pg.Pool({
    connectionString: database.url,
    max: 2,
    onConnect: setUpSession as (client: pg.ClientBase) => void,
  });
  try {
    const { handOver } = createDuePosts(createDatabase(pool));
    for (let sweep = 0; sweep < WARM_UP_SWEEPS; sweep += 1) await handOver(SWEEP_SIZE);
    const databaseCpu = await measureCpu(() => backends(pool));
    const times: number[] = [];
    for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
      const started = performance.now();
      if ((await handOver(SWEEP_SIZE)) !== 0) throw new Error('posts were due');
      times.push(performance.now() - started);
    }
    const cpu = ((await databaseCpu()) * 1000) / SWEEPS;
    const sorted = times.toSorted((a, b) => a - b);
    return { median: median(sorted), p99: sorted[Math.floor(sorted.length * 0.99)]!, cpu };
  } finally {
    await pool.end();
  }
}

const met = (isMet: boolean): string => (isMet ? 'yes' : 'no');
const costRows = (name: string, { worker, database, transactions }: PublicationCost): Row[] => [
  [
    `${name}: CPU of a publication`,
    `${figure(worker + database, 2)} ms: worker ${figure(worker, 2)}, database ${figure(database, 2)}`,
    `< ${GOAL_CPU_MS} ms`,
    met(worker + database < GOAL_CPU_MS),
  ],
  [`${name}: transactions of a publication`, figure(transactions, 2), '', ''],
];
const latenessText = ({ median: half, p99, max }: Lateness): string =>
  `median ${figure(half, 2)} s, 99% within ${figure(p99, 2)} s, longest ${figure(max, 2)} s`;

/**
 * Measures one worker on the sandbox network: posts due at a steady rate, many due in the same
 * second, and the search for due posts among many that are not.
 */
export async function measurePublishing({
  pace: { seconds },
  posts,
  json,
}: Options): Promise<void> {
  const database = await createTemporaryDatabase('posts_gateway_bench_publishing');
  try {
    const { pool } = database;
    await addAccounts(pool);
    logProgress(`Publishing ${RATE} posts per second for ${seconds} s`);
    const steady = await publish(database, 'steady', {
      posts: RATE * seconds,
      perSecond: RATE,
    });
    logProgress(`Publishing ${AT_ONCE} posts that are due in the same second`);
    const burst = await publish(database, 'burst', { posts: AT_ONCE, perSecond: AT_ONCE });
    logProgress(`Scheduling ${posts.toLocaleString('en')} posts for later`);
    await scheduleForLater(pool, posts);
    const sweep = await measureSweep(database);
    const rate = AT_ONCE / burst.lateness.duration;
    const { firstAccount, lastAccount } = burst.lateness;
    const rows: Row[] = [
      [
        `${RATE} per second for ${seconds} s`,
        latenessText(steady.lateness),
        `99% within ${GOAL_LATE_SECONDS} s`,
        met(steady.lateness.p99 <= GOAL_LATE_SECONDS),
      ],
      [
        'order',
        `a post was published at most ${figure(steady.lateness.overtaken)} s after one that was due later`,
        'oldest first',
        '',
      ],
      ...costRows('steady', steady.cost),
      [
        `${AT_ONCE} in one second, ${ACCOUNTS} accounts`,
        `${figure(rate)} per second; ${latenessText(burst.lateness)}`,
        `${RATE} per second`,
        met(rate >= RATE),
      ],
      [
        'accounts',
        `all posts of an account after ${figure(firstAccount, 1)} to ${figure(lastAccount, 1)} s`,
        '',
        '',
      ],
      ...costRows('burst', burst.cost),
      [
        `search among ${posts.toLocaleString('en')} posts, none due`,
        `median ${figure(sweep.median, 2)} ms, 99% within ${figure(sweep.p99, 2)} ms; CPU of the database ${figure(sweep.cpu, 2)} ms`,
        `< ${GOAL_SWEEP_MS} ms`,
        met(sweep.median < GOAL_SWEEP_MS),
      ],
    ];
    process.stdout.write(
      `${machineLine()}; one worker\n\n${textTable(['', 'measured', 'goal', 'met'], rows)}\n`,
    );
    if (json) process.stdout.write(`${JSON.stringify({ publishing: { steady, burst, sweep } })}\n`);
  } finally {
    await database.close();
  }
}
