import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { applyMigrations, BENCH, createDatabase, openEmbeddedServer, ROOT } from './product.js';
import { logProgress } from './progress.js';
import { seed, type SeedSize } from './seed.js';

/** The seeded database of the benchmark. Nothing else uses it. */
export interface BenchDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * A quarter of the machine's memory, as PostgreSQL's documentation recommends, and no checkpoint
 * within a round. Durability has its defaults.
 */
const SETTINGS = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`,
  max_wal_size: '4GB',
};

const log = { info: () => undefined, warn: (message: string) => logProgress(message) };

/** Size of the seed, and the checkout of the product whose migrations create its tables. */
interface DatabaseOptions extends SeedSize {
  readonly checkout: string;
}

const migrationsOf = (checkout: string): string => path.join(checkout, 'prisma', 'migrations');

/**
 * Hash of everything that the seed depends on: its size, its code and the migrations. The seed is
 * kept while it is the same.
 */
function fingerprintOf({ posts, checkout }: DatabaseOptions): string {
  const hash = createHash('sha256').update(JSON.stringify({ posts }));
  const migrations = migrationsOf(checkout);
  const files = [
    ...readdirSync(migrations)
      .filter((name) => !name.includes('.'))
      .sort()
      .map((name) => path.join(migrations, name, 'migration.sql')),
    ...['seed.js', 'seed-texts.js'].map((name) => path.join(BENCH, 'dist', name)),
  ];
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}

/** Opens the server of BENCH_DATABASE_URL, or the embedded one of the product. */
async function openBenchServer(): Promise<{ url: URL; release(): Promise<void> }> {
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return { url: new URL(given), release: async () => undefined };
  const dataDir = path.join(BENCH, '.data');
  const { connectionString, release } = await openEmbeddedServer({
    dataDir,
    log,
    settings: SETTINGS,
  });
  return { url: new URL(connectionString), release };
}

/** Creates an empty database with the tables of the product, which is dropped when it is closed. */
export async function createTemporaryDatabase(name: string): Promise<BenchDatabase> {
  const { url: server, release } = await openBenchServer();
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const admin = new pg.Pool({ connectionString: server.href, max: 1 });
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${name}`);
  const pool = new pg.Pool({ connectionString: url, max: 3, application_name: 'bench' });
  await applyMigrations(createDatabase(pool), migrationsOf(ROOT), log);
  return {
    url,
    pool,
    async close() {
      await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
      await release();
    },
  };
}

/** Opens the seeded database on the server of the benchmark. */
export async function openBenchDatabase(options: DatabaseOptions): Promise<BenchDatabase> {
  const { url: server, release } = await openBenchServer();
  const other = options.checkout === ROOT ? '' : '_other';
  const name = `posts_gateway_bench_${options.posts}${other}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await ensureSeeded(server.href, url, name, options);
  const pool = new pg.Pool({ connectionString: url, max: 3, application_name: 'bench' });
  return {
    url,
    pool,
    async close() {
      await pool.end();
      await release();
    },
  };
}

async function ensureSeeded(
  serverUrl: string,
  url: string,
  name: string,
  options: DatabaseOptions,
): Promise<void> {
  const expected = fingerprintOf(options);
  const admin = new pg.Pool({ connectionString: serverUrl, max: 1 });
  try {
    if ((await seededWith(url)) === expected) return;
    logProgress(`Seeding ${options.posts.toLocaleString('en')} posts …`);
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${name}`);
    // The planner settings of the product, for its peers too. Generic plans are not set: statements
    // must be written for them, and the floor's search takes three times as long with them.
    await admin.query(`ALTER DATABASE ${name} SET jit = off`);
    await admin.query(`ALTER DATABASE ${name} SET random_page_cost = 1.1`);
  } finally {
    await admin.end();
  }
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    await applyMigrations(createDatabase(pool), migrationsOf(options.checkout), log);
    await seed(pool, options);
    await pool.query('CREATE TABLE bench_seed AS SELECT $1::text AS fingerprint', [expected]);
  } finally {
    await pool.end();
  }
}

async function seededWith(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query<{ fingerprint: string }>('SELECT fingerprint FROM bench_seed'))
      .rows[0]?.fingerprint;
  } catch {
    return undefined; // no such database, or an incomplete seed
  } finally {
    await client.end().catch(() => undefined);
  }
}
