import path from 'node:path';
import { parseArgs } from 'node:util';
import { OPERATIONS, type Operation } from './operations.js';
import type { Pace } from './measure.js';
import { PRODUCT, SERVERS, type Server } from './servers.js';

const KINDS = [
  'compare',
  'scale',
  'gate',
  'latency',
  'profile',
  'publishing',
  'costs',
  'needs',
] as const;

export interface Options {
  readonly kind: (typeof KINDS)[number];
  readonly posts: number;
  readonly operations: readonly Operation[];
  readonly servers: readonly Server[];
  /** Absolute path of the checkout of the product to compare with. */
  readonly against: string | null;
  /** File with measured costs; null for the recorded ones. */
  readonly costs: string | null;
  readonly rounds: number;
  readonly pace: Pace;
  readonly json: boolean;
  /** True if docs/images/bench.svg is drawn. */
  readonly chart: boolean;
}

export const USAGE = `npm run bench -- [options]        compares the servers
npm run bench -- scale [options]  how the gateway's cost grows from 10,000 posts to --posts (default 5000000)
npm run bench -- gate             CPU per request of authentication and rate limiting
npm run bench -- latency          response times at the same rate of requests to every GraphQL server, in alternating rounds of 30 s in all (with --quick, 5 s)
npm run bench -- publishing       how late posts are published at 100 per second (5 minutes; with --quick, 30 seconds), and how 10,000 posts due at once are
npm run bench -- profile          where the gateway's CPU time goes in each operation
npm run bench -- costs            what a workspace, a request and a publication cost, with --json for \`needs\`
npm run bench -- needs            what the service of docs/scaling.md needs, computed from --costs <file> or the recorded costs
  --quick              under 8 minutes: fewer and shorter rounds, no variants of operations
  --posts <n>          default 200000; 5000000 makes 500 workspaces of 8,000 and one of 1,000,000
  --only Q1,Q2         selected operations: ${OPERATIONS.map(({ name }) => name).join(', ')}
  --servers <a,b>      selected servers: ${SERVERS.map(({ name }) => name).join(', ')}
  --against <checkout> compares only this build and that of another checkout, which has its packages installed
  --rounds <n> --seconds <n> --connections <n>
  --chart              draws docs/images/bench.svg
  --json               prints the ratios as JSON in the last line
BENCH_DATABASE_URL and BENCH_REDIS_URL set the servers to use. Default: the embedded PostgreSQL of the product, and a new Redis if it is installed.
`;

const FULL_PACE = { rounds: 5, seconds: 4, warmUpSeconds: 1 };
/** How long `publishing` publishes 100 posts per second, and `latency` sends requests of an operation. */
const SECONDS: Readonly<Partial<Record<Options['kind'], { full: number; quick: number }>>> = {
  publishing: { full: 300, quick: 30 },
  latency: { full: 30, quick: 5 },
};
/** Posts that are scheduled while `publishing` measures the search for due ones. */
const PUBLISHING_POSTS = 1_000_000;
const DEFAULT_POSTS: Readonly<Partial<Record<Options['kind'], number>>> = {
  scale: 5_000_000,
  publishing: PUBLISHING_POSTS,
};
const QUICK_PACE = { rounds: 2, seconds: 1.5, warmUpSeconds: 0.5 };

function selectByName<T extends { readonly name: string }>(
  all: readonly T[],
  names: string | undefined,
  what: string,
): readonly T[] | undefined {
  if (names === undefined) return undefined;
  const selected = names.split(',');
  const unknown = selected.filter((name) => !all.some((item) => item.name === name));
  if (unknown.length > 0)
    throw new Error(
      `Unknown ${what} ${unknown.join(', ')}. Known: ${all.map(({ name }) => name).join(', ')}`,
    );
  return all.filter(({ name }) => selected.includes(name));
}

/** Reads the command line. @throws Error for invalid arguments */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      chart: { type: 'boolean' },
      help: { type: 'boolean' },
      posts: { type: 'string' },
      only: { type: 'string' },
      servers: { type: 'string' },
      against: { type: 'string' },
      costs: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
    },
  });
  if (values.help) return 'help';
  const [word = 'compare', ...more] = positionals;
  const kind = KINDS.find((item) => item === word);
  if (!kind || more.length > 0)
    throw new Error(`Unexpected arguments: ${positionals.join(' ')}. See --help.`);
  const number = (
    name: 'posts' | 'rounds' | 'seconds' | 'connections',
    fallback: number,
  ): number => {
    const value = Number(values[name] ?? fallback);
    if (!(value > 0)) throw new Error(`--${name} requires a number`);
    return value;
  };
  const preset = values.quick ? QUICK_PACE : FULL_PACE;
  return {
    kind,
    posts: number('posts', DEFAULT_POSTS[kind] ?? 200_000),
    operations:
      selectByName(OPERATIONS, values.only, 'operation') ??
      OPERATIONS.filter(({ isVariant }) => !(values.quick && isVariant)),
    servers:
      selectByName(SERVERS, values.servers && `${PRODUCT},${values.servers}`, 'server') ?? SERVERS,
    against: values.against === undefined ? null : path.resolve(values.against),
    costs: values.costs === undefined ? null : path.resolve(values.costs),
    rounds: number('rounds', preset.rounds),
    pace: {
      connections: number('connections', 32),
      seconds: number(
        'seconds',
        SECONDS[kind]?.[values.quick ? 'quick' : 'full'] ?? preset.seconds,
      ),
      warmUpSeconds: preset.warmUpSeconds,
    },
    json: values.json ?? false,
    chart: values.chart ?? false,
  };
}
