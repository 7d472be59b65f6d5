import { BlockList, isIP } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Every setting, typed. Where it comes from: the environment variable named in brackets; empty counts as unset (D46). */
export interface Config {
  /** A PostgreSQL server [DATABASE_URL]; without it the embedded one. */
  databaseUrl: string | undefined;
  /** The folder of the embedded server and of the demo's keys, absolute [DATA_DIR; `.data` beside the package]. */
  dataDir: string;
  /** Connections to the database at most [DATABASE_POOL_SIZE; 10]. */
  databasePoolSize: number;
  /** 0 takes a free one [PORT; 4000]. */
  port: number;
  /** The address to listen on [HOST; 127.0.0.1]. */
  host: string;
  /** Requests a user has in each window, unless an override says otherwise (D37) [RATE_LIMIT_REQUESTS; 100]. */
  rateLimit: number;
  /** Proxies whose X-Forwarded-Proto and X-Forwarded-For are believed (D36) [TRUSTED_PROXIES: addresses and CIDR ranges]. */
  trustedProxies: BlockList;
  /** Keys of 32 bytes that accounts' credentials are sealed with: the first seals, all open [CREDENTIALS_KEY: base64 or hex, separated by commas]. */
  credentialsKeys: readonly Uint8Array[];
  /** Whether there is a playground [PLAYGROUND: 0 or 1; 0 where NODE_ENV is production, else 1]. */
  playground: boolean;
  /** What the log tells [LOG_LEVEL; warn]. Each answered request is one line at info. */
  logLevel: LogLevel;
  /** Jobs that this process does at once; 0 leaves them to others [JOB_CONCURRENCY; 8]. */
  jobConcurrency: number;
  /** Whether `npm start` or `npm run worker` started us, which they do through a shell of their own [npm_lifecycle_event, set by npm]. */
  isUnderNpm: boolean;
}

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Settings whose value is not told where it is wrong. */
const SECRET: ReadonlySet<string> = new Set(['DATABASE_URL', 'CREDENTIALS_KEY']);

/** One folder up from src and dist alike. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Reads the settings.
 * @throws Error naming every setting that is wrong and what is allowed, one on a line
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (value: string) => T | undefined, allowed: string): T => {
    const value = env[name]?.trim();
    if (!value) return fallback;
    const parsed = parse(value);
    if (parsed === undefined) problems.push(`${name} is ${SECRET.has(name) ? 'not usable' : JSON.stringify(value)}: ${allowed}`);
    return parsed ?? fallback;
  };
  const integer = (name: string, fallback: number, least: number, most: number): number =>
    read(name, fallback, (value) => (/^\d+$/.test(value) && +value >= least && +value <= most ? +value : undefined), `a whole number from ${least} to ${most}`);

  const config: Config = {
    databaseUrl: read<string | undefined>('DATABASE_URL', undefined, databaseUrl, 'postgresql://user:password@host:port/database'),
    dataDir: read('DATA_DIR', path.join(ROOT, '.data'), (value) => path.resolve(value), 'a folder'),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    port: integer('PORT', 4000, 0, 65_535),
    host: read('HOST', '127.0.0.1', (value) => value, 'an address or a host name'),
    rateLimit: integer('RATE_LIMIT_REQUESTS', 100, 1, 1_000_000_000),
    trustedProxies: read('TRUSTED_PROXIES', new BlockList(), proxies, 'IP addresses or CIDR ranges, separated by commas'),
    credentialsKeys: read('CREDENTIALS_KEY', [], credentialsKeys, '32 bytes as base64 or hex; several keys separated by commas'),
    playground: read('PLAYGROUND', env.NODE_ENV !== 'production', (value) => (/^[01]$/.test(value) ? value === '1' : undefined), '0 or 1'),
    logLevel: read('LOG_LEVEL', 'warn', (value) => LOG_LEVELS.find((level) => level === value.toLowerCase()), `one of ${LOG_LEVELS.join(', ')}`),
    jobConcurrency: integer('JOB_CONCURRENCY', 8, 0, 100),
    isUnderNpm: env.npm_lifecycle_event === 'start' || env.npm_lifecycle_event === 'worker',
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return config;
}

function databaseUrl(value: string): string | undefined {
  return /^postgres(ql)?:$/.test(URL.canParse(value) ? new URL(value).protocol : '') ? value : undefined;
}

const IN_HEX = /^[0-9a-f]{64}$/i;
const IN_BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

function credentialsKeys(value: string): Uint8Array[] | undefined {
  const entries = value.split(/[\s,]+/).filter(Boolean);
  const areKeys = entries.length > 0 && entries.every((entry) => IN_HEX.test(entry) || IN_BASE64.test(entry));
  return areKeys ? entries.map((entry) => Buffer.from(entry, IN_HEX.test(entry) ? 'hex' : 'base64')) : undefined;
}

function proxies(value: string): BlockList | undefined {
  const list = new BlockList();
  const understood = value.split(/[\s,]+/).filter(Boolean).every((entry) => {
    const [address = '', prefix, ...rest] = entry.split('/');
    const version = isIP(address);
    if (version === 0 || rest.length > 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) return list.addAddress(address, family), true;
    if (!/^\d{1,3}$/.test(prefix) || +prefix > (version === 4 ? 32 : 128)) return false;
    return list.addSubnet(address, +prefix, family), true;
  });
  return understood ? list : undefined;
}
