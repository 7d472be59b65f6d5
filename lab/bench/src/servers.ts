import path from 'node:path';
import type { DialectName } from './dialects.js';
import type { Operation } from './operations.js';
import { BENCH, ROOT, startCommand } from './product.js';

/** A server to measure. */
export interface Server {
  readonly name: string;
  readonly title: string;
  /** Packages whose versions are in the report. */
  readonly packages: readonly string[];
  readonly dialect: DialectName;
  /** APIs that it supports. */
  readonly apis: readonly ('graphql' | 'v1')[];
  /** Program and arguments, started in `folder`. */
  readonly command: readonly string[];
  readonly folder: string;
  /** True if its list condition needs an additional index: see peers-index.ts. */
  readonly needsIndex: boolean;
}

const peer = (
  name: string,
  title: string,
  packages: readonly string[],
  api: 'graphql' | 'v1',
  options: Partial<Server> = {},
): Server => ({
  name,
  title,
  packages,
  dialect: 'contract',
  apis: [api],
  command: ['node', path.join(BENCH, 'dist', 'peers', `${name}.js`)],
  folder: BENCH,
  needsIndex: false,
  ...options,
});

/** Name of the product. All ratios are those of the product to another server. */
export const PRODUCT = 'gateway';
export const SERVERS: readonly Server[] = [
  {
    name: PRODUCT,
    title: 'Posts Gateway',
    packages: [],
    dialect: 'contract',
    apis: ['graphql', 'v1'],
    command: startCommand(ROOT),
    folder: ROOT,
    needsIndex: false,
  },
  peer(
    'ordinary',
    'Apollo Server, TypeGraphQL, Prisma, DataLoader',
    ['@apollo/server', 'type-graphql', '@prisma/client', 'dataloader'],
    'graphql',
    { needsIndex: true },
  ),
  peer('mercurius', 'Mercurius with jit, pg, loaders', ['mercurius', 'fastify', 'pg'], 'graphql'),
  peer(
    'yoga',
    'GraphQL Yoga with jit, Pothos, Prisma',
    ['graphql-yoga', '@envelop/graphql-jit', '@pothos/core', '@prisma/client'],
    'graphql',
    { needsIndex: true },
  ),
  peer('postgraphile', 'PostGraphile 5', ['postgraphile', 'grafast', 'pg'], 'graphql', {
    dialect: 'postgraphile',
    needsIndex: true,
  }),
  peer('floor', 'node:http and one hand-written SQL statement per operation', ['pg'], 'graphql'),
  peer('express', 'Express, Prisma', ['express', '@prisma/client'], 'v1', { needsIndex: true }),
  peer('fastify', 'Fastify, one SQL', ['fastify', 'pg'], 'v1'),
];

/** The operations that a server has. */
export const operationsOf = (
  { name, apis }: Server,
  operations: readonly Operation[],
): readonly Operation[] =>
  operations.filter(({ api, isOn }) => apis.includes(api) && (isOn?.(name) ?? true));
