import { APP_SETTINGS, connectReturnOrigins, publicUrl } from './connection-settings.js';
import {
  facebookVersion,
  linkedinVersion,
  networkHosts,
  networksAllowLoopback,
} from './integration-settings.js';
import {
  keepMediaMetadata,
  mediaBaseUrl,
  mediaGigabytes,
  mediaOpenUploads,
  mediaWaitingImports,
  s3AccessKeyId,
  s3Bucket,
  s3Endpoint,
  s3Region,
  s3SecretAccessKey,
} from './media-settings.js';
import {
  host,
  mcp,
  mcpConfirm,
  metricsHost,
  metricsPort,
  playground,
  port,
  publishPosts,
  analytics,
  trustedProxies,
} from './server-settings.js';
import { enumSetting, integerSetting, type Setting } from './setting.js';
import {
  credentialsKeys,
  databaseDirectUrl,
  databaseReplicaMaxLagMs,
  databaseReplicaUrls,
  databaseUrl,
  dataDir,
  redisPrefix,
  redisUrls,
} from './storage-settings.js';
import { otelServiceName, otlpEndpoint, otlpHeaders, traceShare } from './tracing-settings.js';

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
/** Levels of the log, from none to all. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Every setting, by the name of its property in `Config`. `readConfig`, `.env.example` and
 * docs/reference/settings.md are derived from this table.
 */
export const SETTINGS = {
  databaseUrl,
  databaseDirectUrl,
  databaseReplicaUrls,
  databaseReplicaMaxLagMs,
  dataDir,
  databasePoolSize: integerSetting({
    name: 'DATABASE_POOL_SIZE',
    min: 1,
    max: 1000,
    default: 10,
    description: 'Maximum number of database connections per process.',
  }),
  jobConcurrency: integerSetting({
    name: 'JOB_CONCURRENCY',
    min: 0,
    max: 100,
    default: 32,
    description:
      'Maximum number of jobs that a process runs concurrently. A quarter is reserved for publications. 0 leaves all jobs to other processes.',
  }),
  publishPosts,
  analytics,
  maxConcurrentRequests: integerSetting({
    name: 'MAX_CONCURRENT_REQUESTS',
    min: 1,
    max: 100_000,
    default: 64,
    description:
      'Maximum number of requests that a process handles concurrently. Up to 8 times as many wait in a queue for at most 1.5 s, and further requests get 503. A request is counted once its body has arrived.',
  }),
  maxConnectionsPerAddress: integerSetting({
    name: 'MAX_CONNECTIONS_PER_ADDRESS',
    min: 1,
    max: 1_000_000,
    default: 1_000,
    description:
      'Maximum number of connections that are open from one address at the same time. Further connections get 429 and are closed. Connections of TRUSTED_PROXIES are not limited.',
  }),
  maxUnfinishedBodies: integerSetting({
    name: 'MAX_UNFINISHED_BODIES',
    min: 1,
    max: 100_000,
    default: 32,
    description:
      'Maximum number of requests with an incomplete body that a process accepts at the same time with one key, and from one address. Further bodies get 429 unless they arrive within a second.',
  }),
  eventRetentionDays: integerSetting({
    name: 'EVENT_RETENTION_DAYS',
    min: 1,
    max: 3650,
    default: 90,
    description:
      'Number of days for which events are kept. They are deleted a week at a time, so they can be kept for up to 7 more days.',
  }),
  port,
  host,
  metricsPort,
  metricsHost,
  otlpEndpoint,
  otlpHeaders,
  otelServiceName,
  traceShare,
  rateLimit: integerSetting({
    name: 'RATE_LIMIT_REQUESTS',
    min: 1,
    max: 1_000_000_000,
    default: 100,
    description:
      'Requests per user in each 2-minute window. Applies to users without a custom limit.',
  }),
  redisUrls,
  redisPrefix,
  trustedProxies,
  publicUrl,
  connectReturnOrigins,
  credentialsKeys,
  mediaBaseUrl,
  keepMediaMetadata,
  mediaGigabytes,
  mediaOpenUploads,
  mediaWaitingImports,
  s3Endpoint,
  s3Bucket,
  s3Region,
  s3AccessKeyId,
  s3SecretAccessKey,
  playground,
  mcp,
  mcpConfirm,
  linkedinVersion,
  facebookVersion,
  ...APP_SETTINGS,
  networkHosts,
  networksAllowLoopback,
  logLevel: enumSetting({
    name: 'LOG_LEVEL',
    values: LOG_LEVELS,
    default: 'warn',
    description:
      'Minimum level of the JSON log lines on standard error. At info, every request is logged.',
  }),
} as const;

/** The values of the settings. */
export type SettingValues = {
  -readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer Value>
    ? Value
    : never;
};
