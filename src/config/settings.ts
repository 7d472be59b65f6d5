import { BlockList, isIP } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  readAddresses,
  readFlag,
  readRedisUrls,
  readSealingKeys,
  readWebhookSecrets,
  readWebhookUrl,
} from './setting-readers.js';
import { isUrlOf, oneOf, wholeNumber, type Setting } from './setting.js';

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Two folders up from src/settings and dist/settings alike. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const MOST_PORTS = 65_535;

const databaseUrl: Setting<string | undefined> = {
  name: 'DATABASE_URL',
  isSecret: true,
  meaning: 'A PostgreSQL server, 14 or newer. Without it the embedded one is started.',
  allowed: 'postgresql://user:password@host:port/database',
  standard: '',
  without: () => undefined,
  read: (text) => (isUrlOf(/^postgres(ql)?:$/, text) ? text : undefined),
};

const dataDir: Setting<string> = {
  name: 'DATA_DIR',
  meaning:
    'The folder of the embedded database, demo.json and credentials.key; several processes may share it. Without it `.data` beside the package.',
  allowed: 'a folder',
  standard: '',
  without: () => path.join(ROOT, '.data'),
  read: (text) => path.resolve(text),
};

const HOST_NAME = /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i;
const host = (
  standard: string,
  words: Pick<Setting<string>, 'name' | 'meaning'>,
): Setting<string> => ({
  ...words,
  allowed: 'an address or a host name',
  standard,
  without: () => standard,
  read: (text) => (isIP(text) !== 0 || HOST_NAME.test(text) ? text : undefined),
});

const redisUrls: Setting<readonly string[]> = {
  name: 'REDIS_URL',
  isSecret: true,
  meaning:
    'A Redis or Valkey that counts requests for all processes, or several nodes of one cluster. Without it each process counts for itself.',
  allowed: 'redis://user:password@host:port or rediss://…; several nodes separated by commas',
  standard: '',
  without: () => [],
  read: readRedisUrls,
};

const REDIS_PREFIX = 'posts-gateway:';
const redisPrefix: Setting<string> = {
  name: 'REDIS_PREFIX',
  meaning: 'What all keys in Redis begin with.',
  allowed: 'up to 100 characters, no spaces or braces',
  standard: REDIS_PREFIX,
  without: () => REDIS_PREFIX,
  read: (text) => (/^[^\s{}]{1,100}$/.test(text) ? text : undefined),
};

const trustedProxies: Setting<BlockList> = {
  name: 'TRUSTED_PROXIES',
  meaning:
    'Proxies whose X-Forwarded-Proto and X-Forwarded-For are believed. Without it nobody is, and keys are taken over HTTP from this machine alone.',
  allowed: 'IP addresses or CIDR ranges, separated by commas',
  standard: '',
  without: () => new BlockList(),
  read: readAddresses,
};

const credentialsKeys: Setting<readonly Uint8Array[]> = {
  name: 'CREDENTIALS_KEY',
  isSecret: true,
  meaning:
    'What accounts’ credentials are sealed with (`openssl rand -base64 32`): the first key seals, all open. Without it a file in DATA_DIR; with DATABASE_URL no account can be connected without it.',
  allowed: '32 bytes as base64 or hex; several keys separated by commas',
  standard: '',
  without: () => [],
  read: readSealingKeys,
};

const webhookUrl: Setting<string | undefined> = {
  name: 'NOTIFY_WEBHOOK_URL',
  isSecret: true,
  needs: 'NOTIFY_WEBHOOK_SECRET',
  meaning:
    'Where notifications are delivered, signed after the Standard Webhooks specification. Without it nowhere; gateways and workers need the same.',
  allowed: 'https://…, or http://… on this machine, without user and password',
  standard: '',
  without: () => undefined,
  read: readWebhookUrl,
};

const webhookSecrets: Setting<readonly string[]> = {
  name: 'NOTIFY_WEBHOOK_SECRET',
  isSecret: true,
  meaning:
    'What those messages are signed with (`echo whsec_$(openssl rand -base64 32)`); with several secrets by each, so that a receiver can change from one to another.',
  allowed: 'whsec_ and 24 to 64 bytes as base64; several secrets separated by commas',
  standard: '',
  without: () => [],
  read: readWebhookSecrets,
};

const playground: Setting<boolean> = {
  name: 'PLAYGROUND',
  meaning: 'Whether /playground is served. Without it: yes, unless NODE_ENV is production.',
  allowed: '0 or 1',
  standard: '',
  without: (env) => env['NODE_ENV'] !== 'production',
  read: readFlag,
};

const linkedinVersion: Setting<string> = {
  name: 'LINKEDIN_VERSION',
  meaning:
    'The dated version of LinkedIn’s interface that is asked for; LinkedIn serves each for a year.',
  allowed: 'a year and a month, as 202609',
  standard: '202609',
  without: () => '202609',
  read: (text) => (/^20\d\d(0[1-9]|1[0-2])$/.test(text) ? text : undefined),
};

const facebookVersion: Setting<string> = {
  name: 'FACEBOOK_VERSION',
  meaning: 'The version of Facebook’s Graph interface that is asked for.',
  allowed: 'a version, as v25.0',
  standard: 'v25.0',
  without: () => 'v25.0',
  read: (text) => (/^v\d{1,3}\.\d{1,2}$/.test(text) ? text : undefined),
};

const networksAllowLoopback: Setting<boolean> = {
  name: 'NETWORKS_ALLOW_LOOPBACK',
  meaning:
    'Whether networks may be on this machine, and asked over plain HTTP: for tests. Other private addresses are never asked.',
  allowed: '0 or 1',
  standard: '0',
  without: () => false,
  read: readFlag,
};

const metricsPort: Setting<number | undefined> = {
  ...wholeNumber({
    name: 'METRICS_PORT',
    least: 0,
    most: MOST_PORTS,
    standard: 0,
    meaning:
      'Where /metrics is served for Prometheus, with /healthz and /readyz, for gateways and workers alike. Without it nothing is measured.',
  }),
  standard: '',
  without: () => undefined,
};

/**
 * Every setting. `readConfig`, `.env.example` and docs/reference/settings.md are made from this one; the keys are the
 * names that the code knows them by.
 */
export const SETTINGS = {
  databaseUrl,
  dataDir,
  databasePoolSize: wholeNumber({
    name: 'DATABASE_POOL_SIZE',
    least: 1,
    most: 1000,
    standard: 10,
    meaning: 'Connections to the database at most, for each process.',
  }),
  jobConcurrency: wholeNumber({
    name: 'JOB_CONCURRENCY',
    least: 0,
    most: 100,
    standard: 8,
    meaning: 'Jobs that a process does at once; 0 leaves them to others.',
  }),
  requestsAtOnce: wholeNumber({
    name: 'REQUESTS_AT_ONCE',
    least: 1,
    most: 100_000,
    standard: 64,
    meaning:
      'Requests that a process works at at once. Eight times as many wait up to a second and a half for their turn: first come first served, or, once more come than there is room for, last come; the rest is answered 503.',
  }),
  port: wholeNumber({
    name: 'PORT',
    least: 0,
    most: MOST_PORTS,
    standard: 4000,
    meaning: 'Where GraphQL and REST are served; 0 takes a free port.',
  }),
  host: host('127.0.0.1', {
    name: 'HOST',
    meaning: 'The address to listen on; 0.0.0.0 or :: for all.',
  }),
  metricsPort,
  metricsHost: host('127.0.0.1', {
    name: 'METRICS_HOST',
    meaning:
      'The address that METRICS_PORT listens on. Who can reach it reads the metrics without a key.',
  }),
  rateLimit: wholeNumber({
    name: 'RATE_LIMIT_REQUESTS',
    least: 1,
    most: 1_000_000_000,
    standard: 100,
    meaning:
      'Requests that a user has in each window of 2 minutes, unless they have a limit of their own.',
  }),
  redisUrls,
  redisPrefix,
  trustedProxies,
  credentialsKeys,
  webhookUrl,
  webhookSecrets,
  playground,
  linkedinVersion,
  facebookVersion,
  networksAllowLoopback,
  logLevel: oneOf({
    name: 'LOG_LEVEL',
    words: LOG_LEVELS,
    standard: 'warn',
    meaning:
      'What is logged, as lines of JSON on standard error. At info each answered request is a line.',
  }),
} as const;

/** The values by their keys. */
export type SettingValues = {
  -readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer Value>
    ? Value
    : never;
};
