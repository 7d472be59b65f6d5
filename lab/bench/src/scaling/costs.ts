import type { TableGrowth, Wal } from './storage.js';

/** What one request costs. CPU is in milliseconds. */
export interface RequestCost {
  readonly gatewayCpu: number;
  readonly databaseCpu: number;
  readonly redisCpu: number;
  readonly wal: Wal;
  /** Growth of tables and indexes. */
  readonly storage: readonly TableGrowth[];
}

/** What a publication costs. CPU is in milliseconds. */
export interface PublishedCost {
  readonly workerCpu: number;
  readonly databaseCpu: number;
  readonly transactions: number;
  readonly wal: Wal;
  readonly storage: readonly TableGrowth[];
}

/** The requests that are measured: an operation of the benchmark, and for creations the number of posts. */
export const MEASURED_REQUESTS = {
  list: { operation: 'Q1all' },
  detail: { operation: 'Q2' },
  change: { operation: 'M1' },
  creation: { operation: 'C1', posts: 1 },
  'creation of 25 posts': { operation: 'C1', posts: 25 },
} as const satisfies Record<string, { operation: string; posts?: number }>;
export type RequestKind = keyof typeof MEASURED_REQUESTS;

/** The measured costs of the service, as `npm run bench -- costs --json` prints them. */
export interface Costs {
  readonly machine: string;
  readonly workspace: readonly TableGrowth[];
  /** A post without history, events and media. */
  readonly post: readonly TableGrowth[];
  readonly requests: Readonly<Record<RequestKind, RequestCost>>;
  readonly publication: PublishedCost;
  /** Memory in MB. */
  readonly memory: {
    readonly gatewayIdle: number;
    readonly gateway: number;
    readonly worker: number;
    readonly connection: number;
  };
  /** Connections to PostgreSQL of one process. */
  readonly connections: { readonly gateway: number; readonly worker: number };
}

/** Bytes of tables and indexes together. */
export const bytesOf = (
  growths: readonly TableGrowth[],
  isIncluded: (table: string) => boolean = () => true,
): number =>
  growths
    .filter(({ table }) => isIncluded(table))
    .reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0);
