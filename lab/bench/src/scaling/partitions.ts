import pg from 'pg';
import { createTemporaryDatabase } from '../database.js';
import { machineLine } from '../machine.js';
import type { Options } from '../options.js';
import { searchRowOfText, setUpSession } from '../product.js';
import { logProgress } from '../progress.js';
import { median } from '../results.js';
import { seed } from '../seed.js';
import { textOf } from '../seed-texts.js';
import { figure, textTable } from '../text-table.js';
import { cpuSeconds, ownMb } from '../usage.js';
import {
  createLayout,
  LAYOUTS,
  statementsOf,
  type Layout,
  type MeasuredStatement,
} from './partition-layouts.js';

interface Target {
  readonly workspace: string;
  readonly id: string;
  readonly documentId: string;
}

/** A connection that runs the statements of one layout, and its backend. */
interface Session {
  readonly layout: Layout;
  readonly client: pg.Client;
  readonly pid: number;
}

const TARGETS = 500;
const RUNS_PER_ROUND = 1_500;
const KINDS: readonly MeasuredStatement[] = ['list', 'detail', 'change'];

async function openSession(url: string, layout: Layout): Promise<Session> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await setUpSession(client);
  await client.query('SET synchronous_commit = off');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { layout, client, pid: rows[0]!.pid };
}

const valuesOf = (kind: MeasuredStatement, target: Target, run: number): unknown[] => {
  const { workspace, id, documentId } = target;
  if (kind === 'list') return [workspace];
  if (kind === 'detail') return [workspace, documentId];
  const text = textOf(run);
  const { normal, tokens } = searchRowOfText(workspace, text);
  return [workspace, id, text, normal, tokens];
};

/** Runs a statement many times. @returns CPU of the backend in milliseconds for each */
async function runMany(
  { layout, client, pid }: Session,
  kind: MeasuredStatement,
  { targets, runs }: { targets: readonly Target[]; runs: number },
): Promise<number> {
  const text = statementsOf(layout)[kind];
  const before = cpuSeconds(pid);
  for (let run = 0; run < runs; run += 1) {
    const values = valuesOf(kind, targets[run % targets.length]!, run);
    const { rowCount } = await client.query({ name: kind, text, values });
    if (rowCount === 0) throw new Error(`${layout.name}: ${kind} found no row`);
  }
  return ((cpuSeconds(pid) - before) * 1000) / runs;
}

/** Tables and indexes that one execution of a statement locks. */
async function countLocks({ layout, client }: Session, target: Target): Promise<number> {
  const text = statementsOf(layout).detail;
  await client.query('BEGIN');
  await client.query({ name: 'detail', text, values: valuesOf('detail', target, 0) });
  const { rows } = await client.query<{ locks: number }>(
    "SELECT count(*)::int AS locks FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE l.pid = pg_backend_pid() AND c.relnamespace <> 'pg_catalog'::regnamespace",
  );
  await client.query('ROLLBACK');
  return rows[0]!.locks;
}

async function readTargets(pool: pg.Pool): Promise<Target[]> {
  const { rows } = await pool.query<Target>(
    'SELECT workspace_id AS workspace, id::text, doc_id AS "documentId" FROM post WHERE stored_state = 1 ORDER BY md5(doc_id) LIMIT $1',
    [TARGETS],
  );
  return rows;
}

/**
 * Compares the tables of posts as they are with tables that have the workspace in every key, as
 * ordinary tables and with hash partitions, on a database of its own.
 */
export async function measurePartitions({ posts, rounds, json }: Options): Promise<void> {
  const database = await createTemporaryDatabase('posts_gateway_bench_partitions');
  const sessions: Session[] = [];
  try {
    const { pool, url } = database;
    logProgress(`Seeding ${posts.toLocaleString('en')} posts …`);
    await seed(pool, { posts });
    for (const layout of LAYOUTS) {
      logProgress(`Creating the tables: ${layout.name}`);
      await createLayout(pool, layout);
      sessions.push(await openSession(url, layout));
    }
    const targets = await readTargets(pool);
    const measured = new Map<string, number[]>();
    for (let round = 0; round <= rounds; round += 1)
      for (const kind of KINDS)
        for (const session of sessions) {
          const runs = round === 0 ? targets.length : RUNS_PER_ROUND; // the first warms up
          const cpu = await runMany(session, kind, { targets, runs });
          const key = `${session.layout.name} ${kind}`;
          if (round > 0) measured.set(key, [...(measured.get(key) ?? []), cpu]);
        }
    const results = [];
    for (const session of sessions) {
      const { name } = session.layout;
      const cpu = KINDS.map((kind) => [kind, median(measured.get(`${name} ${kind}`)!)]);
      results.push({
        name,
        ...(Object.fromEntries(cpu) as Record<MeasuredStatement, number>),
        locks: await countLocks(session, targets[0]!),
        memory: ownMb(session.pid),
      });
    }
    process.stdout.write(
      `${machineLine()}; ${posts.toLocaleString('en')} posts, CPU of PostgreSQL in ms\n\n` +
        `${textTable(
          ['', ...KINDS, 'locks of a detail', 'memory of a connection, MB'],
          results.map(({ name, locks, memory, ...cpu }) => [
            name,
            ...KINDS.map((kind) => figure(cpu[kind], 3)),
            figure(locks),
            figure(memory, 1),
          ]),
        )}\n`,
    );
    if (json) process.stdout.write(`${JSON.stringify({ partitions: results })}\n`);
  } finally {
    for (const { client } of sessions) await client.end();
    await database.close();
  }
}
