import path from 'node:path';
import type { DialectName } from './dialects.js';
import { BENCH, ROOT, startCommand } from './product.js';

/** A server to measure. */
export interface Server {
  readonly name: string;
  readonly title: string;
  /** Its packages, whose versions the report tells. */
  readonly packages: readonly string[];
  readonly dialect: DialectName;
  /** Which operations it answers. */
  readonly doors: readonly ('graphql' | 'v1')[];
  /** Program and arguments, run in `folder`. */
  readonly command: readonly string[];
  readonly folder: string;
  /** Whether its one condition for all posts but others' private drafts wants an index of its own: see peers-index.ts. */
  readonly wantsIndex: boolean;
}

const peer = (
  name: string,
  title: string,
  packages: readonly string[],
  door: 'graphql' | 'v1',
  more: Partial<Server> = {},
): Server => ({
  name,
  title,
  packages,
  dialect: 'contract',
  doors: [door],
  command: ['node', path.join(BENCH, 'dist', 'peers', `${name}.js`)],
  folder: BENCH,
  wantsIndex: false,
  ...more,
});

/** The product as `npm start` runs it, and those it is compared to; the ratios are the product's over each other's. */
export const PRODUCT = 'gateway';
export const SERVERS: readonly Server[] = [
  {
    name: PRODUCT,
    title: 'Posts Gateway',
    packages: [],
    dialect: 'contract',
    doors: ['graphql', 'v1'],
    command: startCommand(),
    folder: ROOT,
    wantsIndex: false,
  },
  peer(
    'ordinary',
    'Apollo Server, TypeGraphQL, Prisma, DataLoader',
    ['@apollo/server', 'type-graphql', '@prisma/client', 'dataloader'],
    'graphql',
    { wantsIndex: true },
  ),
  peer('mercurius', 'Mercurius with jit, pg, loaders', ['mercurius', 'fastify', 'pg'], 'graphql'),
  peer(
    'yoga',
    'GraphQL Yoga with jit, Pothos, Prisma',
    ['graphql-yoga', '@envelop/graphql-jit', '@pothos/core', '@prisma/client'],
    'graphql',
    { wantsIndex: true },
  ),
  peer('postgraphile', 'PostGraphile 5', ['postgraphile', 'grafast', 'pg'], 'graphql', {
    dialect: 'postgraphile',
    wantsIndex: true,
  }),
  peer('floor', 'the floor: node:http and one hand-written SQL', ['pg'], 'graphql'),
  peer('express', 'Express, Prisma', ['express', '@prisma/client'], 'v1', { wantsIndex: true }),
  peer('fastify', 'Fastify, one SQL', ['fastify', 'pg'], 'v1'),
];
