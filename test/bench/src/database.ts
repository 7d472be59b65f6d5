import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { applyMigrations, BENCH, MIGRATIONS_DIR, openEmbedded } from './product.js';
import { tell } from './progress.js';
import { seed, type SeedSize } from './seed.js';

/** The benchmark's database: seeded, and with nobody else in it. */
export interface BenchDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** A quarter of the machine's memory, as PostgreSQL's documentation has it, and no checkpoint in the middle of a round; durability as it is by default. */
const SETTINGS = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`,
  max_wal_size: '4GB',
};

const log = { info: () => undefined, warn: (message: string) => tell(message) };

/** What the seed is made of: its size, its code and the migrations. Where they are the same, it is kept between runs. */
function fingerprintOf(size: SeedSize): string {
  const hash = createHash('sha256').update(JSON.stringify(size));
  const files = [
    ...readdirSync(MIGRATIONS_DIR)
      .filter((name) => !name.includes('.'))
      .sort()
      .map((name) => path.join(MIGRATIONS_DIR, name, 'migration.sql')),
    ...['seed.js', 'seed-texts.js'].map((name) => path.join(BENCH, 'dist', name)),
  ];
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}

/** Opens the server of BENCH_DATABASE_URL, else the product's embedded one, and the seeded database on it. */
export async function openBenchDatabase(size: SeedSize): Promise<BenchDatabase> {
  const given = process.env.BENCH_DATABASE_URL;
  const embedded = given
    ? undefined
    : await openEmbedded({ dataDir: path.join(BENCH, '.data'), log, settings: SETTINGS });
  const server = new URL(given ?? embedded!.connectionString);
  const name = `posts_gateway_bench_${size.posts}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await ensureSeeded(server.href, url, name, size);
  const pool = new pg.Pool({ connectionString: url, max: 3, application_name: 'bench' });
  return {
    url,
    pool,
    async close() {
      await pool.end();
      await embedded?.release();
    },
  };
}

async function ensureSeeded(
  serverUrl: string,
  url: string,
  name: string,
  size: SeedSize,
): Promise<void> {
  const wanted = fingerprintOf(size);
  const admin = new pg.Pool({ connectionString: serverUrl, max: 1 });
  try {
    if ((await seededWith(url)) === wanted) return;
    tell(`Seeding ${size.posts.toLocaleString('en')} posts …`);
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${name}`);
    // What the product asks for on each of its connections, its peers get too; but not one plan for all values, which
    // statements have to be written for: the floor's search takes three times as long by it.
    await admin.query(`ALTER DATABASE ${name} SET jit = off`);
    await admin.query(`ALTER DATABASE ${name} SET random_page_cost = 1.1`);
  } finally {
    await admin.end();
  }
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    await applyMigrations(pool, MIGRATIONS_DIR, log);
    await seed(pool, size);
    await pool.query('CREATE TABLE bench_seed AS SELECT $1::text AS fingerprint', [wanted]);
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
    return undefined; // no such database, or one whose seed was broken off
  } finally {
    await client.end().catch(() => undefined);
  }
}
