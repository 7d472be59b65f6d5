import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

/** The folder of the product, three up from dist/. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The folder of the benchmark. */
export const BENCH = path.join(ROOT, 'test', 'bench');

/** One of the product's built modules. */
export const part = async <T>(file: string): Promise<T> =>
  (await import(new URL(`../../../dist/${file}.js`, import.meta.url).href)) as T;

interface Log {
  info(message: string): void;
  warn(message: string): void;
}
interface SearchTerm {
  readonly tokens: readonly string[];
  readonly pattern: string | null;
}

/*
 * All that the benchmark takes from inside the product: how its database is opened and migrated, how a key is made and
 * kept, and how a text becomes search tokens, which every peer has to do alike to work on the same tables.
 */
export const { openEmbedded } = await part<{
  openEmbedded(options: {
    dataDir: string;
    log: Log;
    settings?: Record<string, string>;
  }): Promise<{ connectionString: string; release(): Promise<void> }>;
}>('persistence/embedded/embedded-postgres');
export const { applyMigrations, MIGRATIONS_DIR } = await part<{
  applyMigrations(pool: pg.Pool, dir: string, log: Log): Promise<string[]>;
  MIGRATIONS_DIR: string;
}>('persistence/migrations');
export const { searchRow, workspaceTokens } = await part<{
  searchRow(
    workspaceId: string,
    post: { title: string | null; text: string },
  ): { normal: string; tokens: string[] };
  workspaceTokens(workspaceId: string, tokens: readonly string[]): string[];
}>('persistence/posts/search-index');
export const { readSearchQuery } = await part<{
  readSearchQuery(query: string): { all: readonly SearchTerm[]; none: readonly SearchTerm[] };
}>('domain/posts/search-query');
export const { keyValue, KEY_ENTROPY_BYTES } = await part<{
  keyValue(random: Uint8Array): string;
  KEY_ENTROPY_BYTES: number;
}>('domain/access/api-key');
export const { keyHash } = await part<{ keyHash(value: string): Uint8Array }>(
  'services/access/key-hash',
);
export const { CELLS } = await part<{
  CELLS: Readonly<Record<string, { number: number; shows: string }>>;
}>('domain/posts/states');

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** The command line of `npm start`, its program and arguments. */
export const startCommand = (): string[] => (manifestOf(ROOT).scripts?.start ?? '').split(' ');

/** Which version of each of the benchmark's packages is measured: they are pinned. */
export const VERSIONS = manifestOf(BENCH).dependencies ?? {};
