import path from 'node:path';
import type { DialectName } from './dialects.js';
import { BENCH, ROOT, startCommand } from './product.js';

/** A server to measure. */
export interface Server {
  readonly name: string;
  readonly title: string;
  readonly dialect: DialectName;
  /** Which operations it answers. */
  readonly doors: readonly ('graphql' | 'v1')[];
  /** Program and arguments, run in `folder`. */
  readonly command: readonly string[];
  readonly folder: string;
  /** Whether its one condition for all posts but others' private drafts wants an index of its own: see peers-index.ts. */
  readonly wantsIndex: boolean;
}

const peer = (name: string, title: string, door: 'graphql' | 'v1', more: Partial<Server> = {}): Server =>
  ({ name, title, dialect: 'contract', doors: [door], command: ['node', path.join(BENCH, 'dist', 'peers', `${name}.js`)], folder: BENCH, wantsIndex: false, ...more });

/** The product as `npm start` runs it, and those it is compared to; the ratios are the product's over each other's. */
export const PRODUCT = 'gateway';
export const SERVERS: readonly Server[] = [
  { name: PRODUCT, title: 'Posts Gateway', dialect: 'contract', doors: ['graphql', 'v1'], command: startCommand(), folder: ROOT, wantsIndex: false },
  peer('ordinary', 'Apollo Server, TypeGraphQL, Prisma, DataLoader', 'graphql', { wantsIndex: true }),
  peer('mercurius', 'Mercurius with jit, pg, loaders', 'graphql'),
  peer('yoga', 'GraphQL Yoga with jit, Pothos, Prisma', 'graphql', { wantsIndex: true }),
  peer('postgraphile', 'PostGraphile 5', 'graphql', { dialect: 'postgraphile', wantsIndex: true }),
  peer('floor', 'the floor: node:http and one hand-written SQL', 'graphql'),
  peer('express', 'Express, Prisma', 'v1', { wantsIndex: true }),
  peer('fastify', 'Fastify, one SQL', 'v1'),
];
