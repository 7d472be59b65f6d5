import { databaseName, type Config } from '../config/config.js';
import { MIGRATIONS_DIR } from '../config/package-paths.js';
import type { Log } from '../domain/log.js';
import { openEmbeddedServer } from '../embedded-postgres/embedded-postgres.js';
import { withLockFile } from '../embedded-postgres/lock-file.js';
import { hasDatabase } from '../embedded-postgres/server-location.js';
import {
  createCredentialKeys,
  keyFileIn,
  type CredentialKeys,
} from '../persistence/credentials/credential-keys.js';
import { openDatabase, type OpenDatabase } from '../persistence/database.js';
import { applyMigrations } from '../persistence/migrations.js';
import { assertWritable } from '../persistence/readiness.js';

/** The database that the settings name: DATABASE_URL, or the embedded server without it. */
export interface ConfiguredDatabase extends OpenDatabase {
  readonly isEmbedded: boolean;
  /** True if this call created the embedded database; always false with DATABASE_URL. */
  readonly isNew: boolean;
}

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir'> &
  Partial<Pick<Config, 'databaseDirectUrl' | 'mediaBaseUrl' | 'port'>>;
interface OpenOptions {
  readonly poolSize: number;
  readonly log: Log;
  /** Infinity for commands, which may run statements without time limit. */
  readonly maxAnswerMs?: number;
  /** URL of the process: of media, unless MEDIA_BASE_URL is set. By default, that of a gateway on PORT. */
  readonly url?: () => string;
}

/**
 * @throws Error if the embedded database does not exist: commands that only read must not create
 * one
 */
export function assertDatabaseExists({ databaseUrl, dataDir }: DatabaseConfig): void {
  if (!databaseUrl && !hasDatabase(dataDir))
    throw new Error(
      `There is no database in ${dataDir} yet. Run \`npm start\` to create one, or set DATA_DIR or DATABASE_URL to an existing one`,
    );
}

/**
 * Opens the configured database without applying migrations. Closing it also releases the embedded
 * server.
 * @throws Error of one line if it cannot be used
 */
export async function openConfiguredDatabase(
  { databaseUrl, databaseDirectUrl: directUrl, dataDir, mediaBaseUrl, port }: DatabaseConfig,
  { url, ...given }: OpenOptions,
): Promise<ConfiguredDatabase> {
  const options = {
    ...given,
    mediaBaseUrl: (): string => mediaBaseUrl ?? url?.() ?? `http://localhost:${port}`,
  };
  if (databaseUrl) {
    const database = await openDatabase({
      connectionString: databaseUrl,
      directUrl,
      ...options,
    }).catch((error: ErrorWithCode) => {
      throw nameDatabase(error, databaseUrl);
    });
    return { ...database, isEmbedded: false, isNew: false };
  }
  const server = await openEmbeddedServer({ dataDir, log: options.log });
  try {
    const database = await openDatabase({ connectionString: server.connectionString, ...options });
    return {
      ...database,
      isEmbedded: true,
      isNew: server.isNew,
      close: async () => {
        await database.close();
        await server.release();
      },
    };
  } catch (error) {
    await server.release();
    throw error;
  }
}

type ErrorWithCode = Error & { readonly code?: string };

/** An error of the server, or of a file in the URL, with the database that it is about. */
function nameDatabase(error: ErrorWithCode, databaseUrl: string): Error {
  const cause = (error.cause ?? (error.code ? error : undefined)) as ErrorWithCode | undefined;
  if (!cause) return error;
  const name = databaseName({ databaseUrl, dataDir: '' });
  // a refused connection has no message
  return new Error(
    `Cannot use the database ${name} (DATABASE_URL): ${cause.message || cause.code}`,
    { cause },
  );
}

/**
 * Opens the configured database and applies pending migrations.
 * @throws Error of one line if it cannot be used, changed or migrated; nothing stays open
 */
export async function openMigratedDatabase(
  config: DatabaseConfig,
  options: OpenOptions,
): Promise<ConfiguredDatabase> {
  const database = await openConfiguredDatabase(config, options);
  try {
    await assertWritable(database.scan);
    await applyMigrations(database, MIGRATIONS_DIR, options.log);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

type KeyConfig = Pick<Config, 'credentialsKeys' | 'dataDir'>;
type EmbeddedFlag = Pick<ConfiguredDatabase, 'isEmbedded'>;

/** Path of the key file next to an embedded database; null with DATABASE_URL. */
const credentialKeyFile = (
  { dataDir }: Pick<Config, 'dataDir'>,
  { isEmbedded }: EmbeddedFlag,
): string | null => (isEmbedded ? keyFileIn(dataDir) : null);

/** The configured credential keys, and the key file of an embedded database. */
export const openCredentialKeys = (config: KeyConfig, database: EmbeddedFlag): CredentialKeys =>
  createCredentialKeys({
    configured: config.credentialsKeys,
    keyFile: credentialKeyFile(config, database),
    withLockFile,
  });
