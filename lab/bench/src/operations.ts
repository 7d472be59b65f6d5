import { randomUUID } from 'node:crypto';
import type { Dialect, ListParameters } from './dialects.js';
import { v1, type Request } from './requests.js';
import { SELECTIONS } from './documents.js';
import type { Targets } from './targets.js';
import { topic } from './seed-texts.js';

/**
 * Input of an operation: targets, the dialect of a server, and the cursors of its deep pages by
 * workspace.
 */
export interface OperationContext {
  readonly targets: Targets;
  readonly dialect: Dialect;
  readonly cursors: Readonly<Record<string, string>>;
}

/**
 * Requests of one connection: a cycle, each once, or a next one that depends on the previous ones.
 */
export type Traffic =
  | { readonly cycle: readonly Request[] }
  | { readonly once: readonly Request[] }
  | { readonly next: () => Request };

export interface Operation {
  readonly name: string;
  readonly title: string;
  readonly api: 'graphql' | 'v1';
  /** A variant of the operation above it, which is skipped with `--quick`. */
  readonly isVariant?: true;
  /** Whether a server has the operation; all servers have it if undefined. */
  readonly isOn?: (server: string) => boolean;
  readonly changes?: true;
  traffic(context: OperationContext, connection: number, connections: number): Traffic;
  /** True for a successful response. A rejected change is not one. */
  isSuccess(body: string): boolean;
}

export const hasNoErrors = (body: string): boolean => !body.includes('"errors"');

/** Each connection starts at another request, so that they do not all send the same one. */
const fromAnotherStart = <T>(list: readonly T[], connection: number): T[] => [
  ...list.slice(connection % list.length),
  ...list.slice(0, connection % list.length),
];

const read = (
  name: string,
  title: string,
  requests: (context: OperationContext) => readonly Request[],
  options: Partial<Operation> = {},
): Operation => ({
  name,
  title,
  api: 'graphql',
  isSuccess: hasNoErrors,
  ...options,
  traffic: (context, connection) => ({
    cycle: fromAnotherStart(requests(context), connection * 7),
  }),
});

type ListVariant = Omit<ListParameters, 'workspace'>;
const lists =
  (...variants: readonly ListVariant[]) =>
  ({ targets, dialect }: OperationContext): Request[] =>
    targets.readers.flatMap((workspace) =>
      variants.map((variant) => dialect.posts({ workspace, ...variant })),
    );

const ALL: ListVariant = {};
const SCHEDULED: ListVariant = { states: ['SCHEDULED'] };
const NONE: ListVariant = { states: ['RECYCLING'] };
const pageOne = lists({ counted: false });
/** Number of workspaces whose page 100 is requested: its cursor is found by paging. */
export const DEEP_WORKSPACES = 3;
export const DEEP_PAGE = 100;
const pageHundred = ({ targets, dialect, cursors }: OperationContext): Request[] =>
  targets.readers
    .slice(0, DEEP_WORKSPACES)
    .map((workspace) => dialect.posts({ workspace, counted: false, after: cursors[workspace] }));
/** Alternates between page 1 and page 100. */
const bothPages = (context: OperationContext): Request[] => {
  const deep = pageHundred(context);
  return pageOne(context).flatMap((request, index) => [request, deep[index % deep.length]!]);
};
const searches = ({ targets, dialect }: OperationContext): Request[] =>
  targets.readers.map((workspace, index) => dialect.posts({ workspace, query: topic(index) }));

/** Each update changes the text and expects the version that the previous one made. */
const updates =
  (withKeys = false) =>
  ({ targets, dialect }: OperationContext, connection: number, connections: number): Traffic => {
    const posts = targets.updates
      .filter((_, index) => index % connections === connection)
      .map((post) => ({ ...post }));
    let updated = 0;
    return {
      next: () => {
        const post = posts[updated++ % posts.length]!;
        const request = dialect.update({
          workspace: post.workspace,
          id: post.id,
          expectedVersion: post.version,
          text: `Version ${post.version + 1} of a text that changes, about ${topic(post.version)} and more.`,
          ...(withKeys && { idempotencyKey: randomUUID() }),
        });
        post.version += 1;
        return request;
      },
    };
  };

const deletions = (
  { targets, dialect }: OperationContext,
  connection: number,
  connections: number,
): Traffic => ({
  once: targets.deletions
    .filter((_, index) => index % connections === connection)
    .map(({ workspace, ids }) => dialect.remove(workspace, ids)),
});

const DAY_MS = 86_400_000;
/** After the posts of the seed: no account reaches its daily cap. */
const FIRST_DAY = Date.UTC(2032, 0, 1);
/** Until 2097, as posts can be scheduled until 2100. More than a round can create. */
const DAYS = 24_000;
/** The day after that of the last creation: posts of two creations of a round have different days. */
let days = 0;

/** Each creation has a text and a day of its own, as no post may have the text of another one. */
function creations(
  { targets, dialect }: OperationContext,
  connection: number,
  connections: number,
): Traffic {
  const own = targets.creations.filter((_, index) => index % connections === connection);
  const all = own.length > 0 ? own : [targets.creations[connection % targets.creations.length]!];
  let created = 0;
  return {
    next: () => {
      const { workspace, accountIds } = all[created++ % all.length]!;
      days = (days + 1) % DAYS;
      const scheduledAt = new Date(FIRST_DAY + days * DAY_MS).toISOString();
      return dialect.create({
        workspace,
        text: `Number ${days} of the new texts, about ${topic(days)} and more.`,
        targets: accountIds.map((accountId) => ({ accountId, scheduledAt })),
      });
    },
  };
}

/** The operations of the benchmark. */
export const OPERATIONS: readonly Operation[] = [
  read(
    'Q1',
    'first page of 25 with account, user, labels, media and the exact count: no filter, SCHEDULED and a filter without a match in next',
    lists(ALL, SCHEDULED, NONE),
  ),
  read('Q1all', 'Q1 without a filter', lists(ALL), { isVariant: true }),
  read('Q1scheduled', 'Q1 with the filter SCHEDULED', lists(SCHEDULED), { isVariant: true }),
  read('Q1none', 'Q1 with a filter without a match', lists(NONE), { isVariant: true }),
  read(
    'Q1k',
    'Q1 without a filter and without the count: page 1 and page 100 by cursor in next',
    bothPages,
  ),
  read('Q1k1', 'Q1k at page 1', pageOne, { isVariant: true }),
  read('Q1k100', 'Q1k at page 100', pageHundred, { isVariant: true }),
  read('Q2', 'one post in detail', ({ targets, dialect }) =>
    targets.details.map(({ workspace, id }) => dialect.post(workspace, id)),
  ),
  read(
    'Q2many',
    `Q2 with ${SELECTIONS} selections, each by all members in turn`,
    ({ targets, dialect }) =>
      targets.details.map(({ workspace, id }, index) =>
        dialect.post(workspace, id, {
          selection: index % SELECTIONS,
          member: Math.floor(index / SELECTIONS),
        }),
      ),
    // the floor has one response per operation
    { isVariant: true, isOn: (server) => server !== 'floor' },
  ),
  read('Q3', '{ __typename }', ({ dialect }) => [dialect.typename()]),
  read('S1', 'search for a word in 200 of 8,000 posts, first page of 25 and the count', searches),
  {
    name: 'M1',
    title: 'text of a scheduled post changed, with version check and revision',
    api: 'graphql',
    changes: true,
    isSuccess: (body) => body.includes('"version":'),
    traffic: updates(),
  },
  {
    name: 'M1key',
    title: 'M1 with an idempotency key in each request',
    api: 'graphql',
    isVariant: true,
    isOn: (server) => server === 'gateway',
    changes: true,
    isSuccess: (body) => body.includes('"version":'),
    traffic: updates(true),
  },
  {
    name: 'C1',
    title: '25 scheduled posts created in one request, for 25 accounts',
    api: 'graphql',
    changes: true,
    isSuccess: (body) => hasNoErrors(body) && !body.includes('"code":'),
    traffic: creations,
  },
  {
    name: 'M2',
    title: '25 posts deleted in one request',
    api: 'graphql',
    changes: true,
    isSuccess: (body) => hasNoErrors(body) && !body.includes('"deletedIds":[]'),
    traffic: deletions,
  },
  read(
    'R1',
    'v1 list, 10 posts and the total',
    ({ targets }) => targets.readers.map((workspace) => v1.list(workspace)),
    { api: 'v1' },
  ),
  read(
    'R2',
    'v1 detail',
    ({ targets }) => targets.details.map(({ workspace, id }) => v1.detail(workspace, id)),
    { api: 'v1' },
  ),
];
