import { parseArgs } from 'node:util';
import { OPERATIONS, type Operation } from './operations.js';
import type { Pace } from './measure.js';
import { PRODUCT, SERVERS, type Server } from './servers.js';

const KINDS = ['compare', 'scale', 'gate', 'profile'] as const;

export interface Options {
  readonly kind: (typeof KINDS)[number];
  readonly posts: number;
  readonly operations: readonly Operation[];
  readonly servers: readonly Server[];
  readonly rounds: number;
  readonly pace: Pace;
  readonly json: boolean;
  /** Whether the chart in docs/images is drawn anew. */
  readonly chart: boolean;
}

export const USAGE = `npm run bench -- [options]        compares the servers
npm run bench -- scale [options]  how the gateway's cost grows: 10,000 posts and --posts (5000000 by default)
npm run bench -- gate             what the gate and its rate window take of a request: CPU of their process
npm run bench -- profile          where the gateway's CPU goes in each operation
  --quick              under 8 minutes: fewer and shorter rounds, no single forms
  --posts <n>          200000 by default; 5000000 makes 500 workspaces of 8,000 and one of 1,000,000
  --only Q1,Q2         some operations: ${OPERATIONS.map(({ name }) => name).join(', ')}
  --servers <a,b>      some servers: ${SERVERS.map(({ name }) => name).join(', ')}
  --rounds <n> --seconds <n> --connections <n>
  --chart              draws docs/images/bench.svg
  --json               ends with one line of JSON: the ratios
BENCH_DATABASE_URL and BENCH_REDIS_URL name servers to use; else PostgreSQL is the product's embedded one, and Redis one of its own where it is installed.
`;

const FULL = { rounds: 5, seconds: 4, warmSeconds: 1 };
const QUICK = { rounds: 2, seconds: 1.5, warmSeconds: 0.5 };

function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  names: string | undefined,
  what: string,
): readonly T[] | undefined {
  if (names === undefined) return undefined;
  const wanted = names.split(',');
  const unknown = wanted.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new Error(
      `No ${what} ${unknown.join(', ')}: there are ${all.map(({ name }) => name).join(', ')}`,
    );
  return all.filter(({ name }) => wanted.includes(name));
}

/** Reads the command line. @throws Error for what is not understood */
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
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
    },
  });
  if (values.help) return 'help';
  const [word = 'compare', ...more] = positionals;
  const kind = KINDS.find((one) => one === word);
  if (!kind || more.length > 0) throw new Error(`Not understood: ${positionals.join(' ')}`);
  const number = (
    name: 'posts' | 'rounds' | 'seconds' | 'connections',
    fallback: number,
  ): number => {
    const value = Number(values[name] ?? fallback);
    if (!(value > 0)) throw new Error(`--${name} takes a number`);
    return value;
  };
  const preset = values.quick ? QUICK : FULL;
  return {
    kind,
    posts: number('posts', kind === 'scale' ? 5_000_000 : 200_000),
    operations:
      chosen(OPERATIONS, values.only, 'operation') ??
      OPERATIONS.filter(({ isForm }) => !(values.quick && isForm)),
    servers: chosen(SERVERS, values.servers && `${PRODUCT},${values.servers}`, 'server') ?? SERVERS,
    rounds: number('rounds', preset.rounds),
    pace: {
      connections: number('connections', 32),
      seconds: number('seconds', preset.seconds),
      warmSeconds: preset.warmSeconds,
    },
    json: values.json ?? false,
    chart: values.chart ?? false,
  };
}
