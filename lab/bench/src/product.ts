import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

/** The root folder of the product, three levels above dist/. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The folder of the benchmark. */
export const BENCH = path.join(ROOT, 'lab', 'bench');

/** Imports a module of the product, which run.mjs has bundled for the benchmark. */
export const importBuilt = async <T>(file: string): Promise<T> =>
  (await import(new URL(`./product/${file}.js`, import.meta.url).href)) as T;

interface Log {
  info(message: string): void;
  warn(message: string): void;
}
interface SearchTerm {
  readonly forms: readonly (readonly { readonly token: string; readonly isPrefix: boolean }[])[];
}
/** What the search index has of a post. */
interface SearchRow {
  readonly normal: string;
  readonly tokens: readonly string[];
}

/*
 * Everything that the benchmark uses from inside the product: how its database is opened and migrated, how an API key is
 * created and hashed, and how a text becomes search tokens, which every peer must do alike to work on the same tables.
 */
export const { openEmbeddedServer } = await importBuilt<{
  openEmbeddedServer(options: {
    dataDir: string;
    log: Log;
    settings?: Record<string, string>;
  }): Promise<{ connectionString: string; release(): Promise<void> }>;
}>('embedded-postgres/embedded-postgres');
/** The database object of the product. */
type Database = object;
export const { createDatabase } = await importBuilt<{
  createDatabase(pool: pg.Pool): Database;
}>('persistence/database');
export const { applyMigrations } = await importBuilt<{
  applyMigrations(database: Database, dir: string, log: Log): Promise<string[]>;
}>('persistence/migrations');
const { searchRow, workspaceTokens } = await importBuilt<{
  searchRow(workspaceId: string, post: object): SearchRow;
  workspaceTokens(workspaceId: string, tokens: readonly string[]): string[];
}>('persistence/posts/post-rows');
const { BLANK_POST } = await importBuilt<{ BLANK_POST: object }>('domain/posts/post');
export { workspaceTokens };
/** The row of the search index of a post that has only a text. */
export const searchRowOfText = (workspaceId: string, text: string): SearchRow =>
  searchRow(workspaceId, { ...BLANK_POST, text });
export const { readSearchQuery } = await importBuilt<{
  readSearchQuery(query: string): { all: readonly SearchTerm[]; none: readonly SearchTerm[] };
}>('domain/search/search-query');
export const { createKeyValue, KEY_ENTROPY_BYTES } = await importBuilt<{
  createKeyValue(random: Uint8Array): string;
  KEY_ENTROPY_BYTES: number;
}>('domain/access/api-key');
export const { keyHash } = await importBuilt<{ keyHash(value: string): Uint8Array }>(
  'services/access/key-hash',
);
export const { STORED_STATES } = await importBuilt<{
  STORED_STATES: Readonly<Record<string, { number: number; state: string }>>;
}>('domain/posts/states');

export const { createDuePosts } = await importBuilt<{
  createDuePosts(database: Database): { handOver(max: number): Promise<number> };
}>('persistence/publishing/due-posts');
export const { setUpSession } = await importBuilt<{
  setUpSession(client: pg.ClientBase): Promise<void>;
}>('persistence/connections/session');

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** Command line of `npm start` in a checkout of the product. */
export const startCommand = (checkout: string): string[] =>
  (manifestOf(checkout).scripts?.start ?? '').split(' ');

/** Versions of the packages that are compared; they are pinned. */
export const VERSIONS = manifestOf(BENCH).dependencies ?? {};
