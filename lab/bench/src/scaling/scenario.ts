/** The size of the service, and its load in the busiest second. */
export interface Scenario {
  readonly workspaces: number;
  readonly posts: number;
  readonly requestsPerSecond: number;
  readonly publicationsPerSecond: number;
}

/** What docs/scaling.md plans for. */
export const GOAL: Scenario = {
  workspaces: 10_000_000,
  posts: 5_000_000_000,
  requestsPerSecond: 200_000,
  publicationsPerSecond: 20_000,
};

/** What cannot be measured before there are such users. */
export const ASSUMPTIONS = {
  /** Shares of the requests. */
  requests: { list: 0.5, detail: 0.43, change: 0.05, creation: 0.02 },
  /** Load of an average second, compared with the busiest. */
  averageShare: 0.25,
  /** Age of the oldest post in years: posts are created and published evenly over this time. */
  postYears: 3,
  /** Changes of a post before its publication. */
  changesPerPost: 3,
  /** Days for which events and finished jobs are kept, which are the defaults of the service. */
  eventDays: 97,
  jobDays: 30,
  /** Share of the indexes that has to be in memory: recent posts. */
  hotShare: 0.1,
} as const;

/** A server for PostgreSQL, and how much of it the plan uses. */
export const DATABASE_SERVER = {
  cores: 64,
  usableCores: 0.6,
  memoryGb: 512,
  usableMemory: 0.5,
  diskTb: 30,
  usableDisk: 0.7,
  /** What replicas and the archive take. */
  walMbPerSecond: 400,
  connections: 2_000,
} as const;

/** How much of a core a gateway, a worker and Redis use, each of which has one thread. */
export const USABLE_THREAD = 0.6;
