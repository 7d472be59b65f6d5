import path from 'node:path';
import { isDatabaseUrl } from '../domain/input/urls.js';
import { defaultDataDir } from './package-paths.js';
import { readRedisUrls } from './redis-urls.js';
import { readSealingKeys } from './setting-readers.js';
import { integerSetting, splitList, type Environment, type Setting } from './setting.js';

export const databaseUrl: Setting<string | undefined> = {
  name: 'DATABASE_URL',
  isSecret: true,
  description:
    'The PostgreSQL server to use, version 14 or newer, or several servers, of which the one that accepts changes is used. If unset, the process starts an embedded server. With NODE_ENV=production, it does so only if DATA_DIR is set.',
  allowed: 'postgresql://user:password@host:port/database; several hosts separated by commas',
  default: '',
  whenUnset: () => undefined,
  read: (text) => (isDatabaseUrl(text) ? text : undefined),
};

export const databaseDirectUrl: Setting<string | undefined> = {
  name: 'DATABASE_DIRECT_URL',
  isSecret: true,
  requires: 'DATABASE_URL',
  description:
    'The same database without a connection pooler, for migrations, locks and notifications. Set it only if DATABASE_URL leads through a pooler in transaction mode.',
  allowed: 'the same as for DATABASE_URL',
  default: '',
  whenUnset: () => undefined,
  read: (text) => (isDatabaseUrl(text) ? text : undefined),
};

export const databaseReplicaUrls: Setting<readonly string[]> = {
  name: 'DATABASE_REPLICA_URLS',
  isSecret: true,
  requires: ['DATABASE_URL', 'REDIS_URL'],
  description:
    'Streaming replicas (hot standbys) of the database, from which gateways read posts, so that the primary has less to do. Each URL leads to one server, without a load balancer or a pooler in transaction mode.',
  allowed: 'postgresql://user:password@host:port/database; several URLs separated by commas',
  default: '',
  whenUnset: () => [],
  read(text) {
    const urls = splitList(text);
    return urls.length > 0 && urls.every(isDatabaseUrl) ? urls : undefined;
  },
};

export const databaseReplicaMaxLagMs: Setting<number> = integerSetting({
  name: 'DATABASE_REPLICA_MAX_LAG_MS',
  min: 1_000,
  // While Redis is unavailable, a change can wait for this time. Its request may take 25 s.
  max: 20_000,
  default: 5_000,
  description: 'A replica that is more than this many milliseconds behind the primary is not read.',
});

export const dataDir: Setting<string> = {
  name: 'DATA_DIR',
  description:
    'Folder for the embedded database, demo.json, credentials.key and uploaded media. Several processes can share it. If unset, the folder is `.data` in the clone or, if the gateway was installed from npm, in the current folder.',
  allowed: 'a folder',
  default: '',
  whenUnset: defaultDataDir,
  read: (text) => path.resolve(text),
};

/**
 * The problem of a production environment that names no database: a process would otherwise create
 * a new, empty one and work on it.
 */
export const findDatabaseProblem = (env: Environment): string | null =>
  env['NODE_ENV'] === 'production' && !env[databaseUrl.name]?.trim() && !env[dataDir.name]?.trim()
    ? 'DATABASE_URL is not set. With NODE_ENV=production, the embedded database is used only if DATA_DIR is set to its folder'
    : null;

export const redisUrls: Setting<readonly string[]> = {
  name: 'REDIS_URL',
  isSecret: true,
  description:
    'Redis or Valkey server that counts requests for all processes, the Sentinels that know this server, or nodes of one cluster. If unset, each process counts its own requests.',
  allowed:
    'redis://user:password@host:port, redis+sentinel://user:password@host:port,host:port/master-name or redis+cluster://user:password@host:port,host:port; rediss with TLS',
  default: '',
  whenUnset: () => [],
  read: readRedisUrls,
};

const REDIS_PREFIX = 'posts-gateway:';
export const redisPrefix: Setting<string> = {
  name: 'REDIS_PREFIX',
  description: 'Prefix of all keys in Redis.',
  allowed: 'up to 100 characters, no spaces or braces',
  default: REDIS_PREFIX,
  whenUnset: () => REDIS_PREFIX,
  read: (text) => (/^[^\s{}]{1,100}$/.test(text) ? text : undefined),
};

export const credentialsKeys: Setting<readonly Uint8Array[]> = {
  name: 'CREDENTIALS_KEY',
  isSecret: true,
  description:
    'Keys that encrypt account credentials (`openssl rand -base64 32`). The first key encrypts, and all keys can decrypt. If unset, a key file in DATA_DIR is used. With DATABASE_URL, this setting is required to connect accounts.',
  allowed: '32 bytes as base64 or hex; several keys separated by commas',
  default: '',
  whenUnset: () => [],
  read: readSealingKeys,
};
