import { bytesOf, type Costs, type RequestCost } from './costs.js';
import type { TableGrowth } from './storage.js';
import { ASSUMPTIONS, DATABASE_SERVER, USABLE_THREAD, type Scenario } from './scenario.js';

const { requests: SHARES, averageShare, postYears, changesPerPost } = ASSUMPTIONS;
const YEAR_SECONDS = 365.25 * 86_400;
const DAY_SECONDS = 86_400;
/** The largest ID of a post that statements and responses can contain. */
const MAX_POST_ID = 2_147_483_647;
/** Transactions of a day whose rows are frozen in time: PostgreSQL has 2 billion transaction IDs. */
const TRANSACTIONS_PER_DAY = 1_500_000_000;

/** What a resource takes more of: processes, Redis or database servers, or a change of the service. */
type Growth = 'processes' | 'redis' | 'database' | 'service';

/** One resource: what the scenario needs, and what one server has. */
export interface Need {
  readonly resource: string;
  readonly unit: string;
  readonly needed: number;
  /** What one server has; null if there is no such limit. */
  readonly available: number | null;
  readonly grows: Growth;
  /** What is done when it is reached. */
  readonly solution: string;
}

/** The needs of a scenario, and the number of processes and servers. */
export interface Needs {
  readonly needs: readonly Need[];
  readonly processes: {
    readonly gateways: number;
    readonly workers: number;
    readonly redis: number;
  };
  readonly databaseServers: number;
}

/** A limit that a single database server reaches before the scenario. */
export interface Bottleneck extends Need {
  /** Share of the scenario at which it is reached. */
  readonly share: number;
}

const isKeptForSomeTime = (table: string): boolean => table === 'event' || table === 'job';
const isKept = (table: string): boolean => !isKeptForSomeTime(table);

/** The number of servers that a resource takes; null if more servers do not help. */
export const serversOf = ({ needed, available, grows }: Need): number | null =>
  available === null || grows === 'service' ? null : Math.ceil(needed / available);

/** Disk in TB: posts with what is kept as long as they are, workspaces, and what expires. */
function diskOf(costs: Costs, { workspaces, posts }: Scenario): number {
  const { creation, change } = costs.requests;
  const perPost = (isIncluded: (table: string) => boolean): number =>
    bytesOf(costs.post, isIncluded) +
    bytesOf(creation.storage, (table) => table === 'event' && isIncluded(table)) +
    changesPerPost * bytesOf(change.storage, isIncluded) +
    bytesOf(costs.publication.storage, isIncluded);
  const keptPosts = (days: number): number => (posts / (postYears * 365.25)) * days;
  const expiring =
    keptPosts(ASSUMPTIONS.eventDays) * perPost((table) => table === 'event') +
    keptPosts(ASSUMPTIONS.jobDays) * perPost((table) => table === 'job');
  return (posts * perPost(isKept) + workspaces * bytesOf(costs.workspace) + expiring) / 1e12;
}

/** Events in rows that are kept of posts: of their creation, changes and publication. */
function eventsOf(costs: Costs, { posts }: Scenario): number {
  const rows = (growths: readonly TableGrowth[]): number =>
    growths.find(({ table }) => table === 'event')?.rows ?? 0;
  const { creation, change } = costs.requests;
  const perPost =
    rows(creation.storage) +
    changesPerPost * rows(change.storage) +
    rows(costs.publication.storage);
  return (posts / (postYears * 365.25)) * ASSUMPTIONS.eventDays * perPost;
}

/** Indexes in GB of the rows that are read and written most. */
function hotIndexesOf(costs: Costs, { posts }: Scenario): number {
  const bytes = costs.post.reduce((sum, { indexBytes }) => sum + indexBytes, 0);
  return (posts * bytes * ASSUMPTIONS.hotShare) / 1e9;
}

const cores = (milliseconds: number): number => milliseconds / 1000;

/** Computes what a scenario needs. The same costs and scenario always give the same result. */
export function needsOf(costs: Costs, scenario: Scenario): Needs {
  const { requestsPerSecond, publicationsPerSecond, posts } = scenario;
  const kinds = Object.keys(SHARES) as (keyof typeof SHARES)[];
  /** Milliseconds or bytes per second of all requests, or of some kinds. */
  const ofRequests = (
    figure: (cost: RequestCost) => number,
    some: readonly (typeof kinds)[number][] = kinds,
  ): number =>
    some.reduce((sum, kind) => sum + SHARES[kind] * figure(costs.requests[kind]), 0) *
    requestsPerSecond;
  const gatewayCpu = cores(ofRequests((cost) => cost.gatewayCpu));
  const redisCpu = cores(ofRequests((cost) => cost.redisCpu));
  const { publication, connections } = costs;
  const gateways = Math.ceil(gatewayCpu / USABLE_THREAD);
  const workers = Math.ceil(cores(publicationsPerSecond * publication.workerCpu) / USABLE_THREAD);
  const publishing = publicationsPerSecond * publication.databaseCpu;
  const changing =
    ofRequests(({ databaseCpu }) => databaseCpu, ['change', 'creation']) + publishing;
  const transactions =
    requestsPerSecond * (SHARES.change + SHARES.creation) * averageShare +
    (posts / (postYears * YEAR_SECONDS)) * publication.transactions;
  const { cores: allCores, memoryGb, diskTb } = DATABASE_SERVER;
  const usableCores = allCores * DATABASE_SERVER.usableCores;
  const needs: Need[] = [
    {
      resource: 'gateways',
      unit: 'cores',
      needed: gatewayCpu,
      available: null,
      grows: 'processes',
      solution: 'more processes',
    },
    {
      resource: 'workers',
      unit: 'cores',
      needed: cores(publicationsPerSecond * publication.workerCpu),
      available: null,
      grows: 'processes',
      solution: 'more processes',
    },
    {
      resource: 'memory of gateways and workers',
      unit: 'GB',
      needed: (gateways * costs.memory.gateway + workers * costs.memory.worker) / 1000,
      available: null,
      grows: 'processes',
      solution: 'more machines',
    },
    {
      resource: 'Redis',
      unit: 'cores',
      needed: redisCpu,
      available: USABLE_THREAD,
      grows: 'redis',
      solution: 'Redis Cluster, whose nodes share the users',
    },
    {
      resource: 'connections to PostgreSQL',
      unit: 'connections',
      needed: gateways * connections.gateway + workers * connections.worker,
      available: DATABASE_SERVER.connections,
      grows: 'service',
      solution: 'fewer, busier gateways',
    },
    {
      resource: 'PostgreSQL, reads and changes',
      unit: 'cores',
      needed: cores(ofRequests(({ databaseCpu }) => databaseCpu) + publishing),
      available: usableCores,
      grows: 'database',
      solution: 'lists and single posts from replicas',
    },
    {
      resource: 'PostgreSQL, changes and publications',
      unit: 'cores',
      needed: cores(changing),
      available: usableCores,
      grows: 'database',
      solution: 'a larger server',
    },
    {
      resource: 'write-ahead log',
      unit: 'MB/s',
      needed:
        (ofRequests(({ wal }) => wal.bytes) + publicationsPerSecond * publication.wal.bytes) / 1e6,
      available: DATABASE_SERVER.walMbPerSecond,
      grows: 'database',
      solution: 'a larger server',
    },
    {
      resource: 'disk',
      unit: 'TB',
      needed: diskOf(costs, scenario),
      available: diskTb * DATABASE_SERVER.usableDisk,
      grows: 'database',
      solution: 'a larger server',
    },
    {
      resource: 'events that are kept',
      unit: 'rows',
      needed: eventsOf(costs, scenario),
      available: null,
      grows: 'database',
      solution: 'partitions by week, as they are',
    },
    {
      resource: 'memory for recent indexes',
      unit: 'GB',
      needed: hotIndexesOf(costs, scenario),
      available: memoryGb * DATABASE_SERVER.usableMemory,
      grows: 'database',
      solution: 'a larger server',
    },
    {
      resource: 'transaction IDs',
      unit: 'per second',
      needed: transactions,
      available: TRANSACTIONS_PER_DAY / DAY_SECONDS,
      grows: 'database',
      solution: 'a larger server',
    },
    {
      resource: 'IDs of posts',
      unit: 'posts',
      needed: posts,
      available: MAX_POST_ID,
      grows: 'service',
      solution: 'IDs of 64 bits in statements and requests',
    },
  ];
  return {
    needs,
    processes: {
      gateways,
      workers,
      redis: Math.ceil(redisCpu / USABLE_THREAD),
    },
    databaseServers: Math.max(
      ...needs.map((need) => (need.grows === 'database' ? (serversOf(need) ?? 1) : 1)),
    ),
  };
}

/** The bottlenecks of a single server, the first one first. */
export const bottlenecksOf = ({ needs }: Needs): Bottleneck[] =>
  needs
    .flatMap((need) =>
      need.available !== null && need.needed > need.available
        ? [{ ...need, share: need.available / need.needed }]
        : [],
    )
    .toSorted((a, b) => a.share - b.share);
