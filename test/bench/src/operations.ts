import { v1, type Dialect, type ListAsked, type Request } from './dialects.js';
import type { Facts } from './facts.js';
import { topic } from './seed-texts.js';

/** What an operation is asked of: the workspaces and posts, one server's words, and where its hundredth pages begin. */
export interface Asking {
  readonly facts: Facts;
  readonly dialect: Dialect;
  readonly cursors: Readonly<Record<string, string>>;
}

/** What one connection sends: some requests in turn for ever, each once, or a next one that follows from those before. */
export type Traffic =
  | { readonly cycle: readonly Request[] }
  | { readonly once: readonly Request[] }
  | { readonly next: () => Request };

export interface Operation {
  readonly name: string;
  readonly title: string;
  readonly door: 'graphql' | 'v1';
  /** Measured on its own only where there is time: it is one form of the operation above it. */
  readonly isForm?: true;
  readonly changes?: true;
  traffic(asking: Asking, connection: number, connections: number): Traffic;
  /** Whether an answer is one; a change that was refused is none. */
  isWell(body: string): boolean;
}

export const isNoError = (body: string): boolean => !body.includes('"errors"');

/** Each connection begins at another request, so that not all ask for the same at once. */
const fromAnotherStart = <T>(list: readonly T[], connection: number): T[] => [
  ...list.slice(connection % list.length),
  ...list.slice(0, connection % list.length),
];

const read = (
  name: string,
  title: string,
  requests: (asking: Asking) => readonly Request[],
  more: Partial<Operation> = {},
): Operation => ({
  name,
  title,
  door: 'graphql',
  isWell: isNoError,
  ...more,
  traffic: (asking, connection) => ({ cycle: fromAnotherStart(requests(asking), connection * 7) }),
});

type Form = Omit<ListAsked, 'workspace'>;
const lists =
  (...forms: readonly Form[]) =>
  ({ facts, dialect }: Asking): Request[] =>
    facts.readers.flatMap((workspace) =>
      forms.map((form) => dialect.posts({ workspace, ...form })),
    );

const ALL: Form = {};
const SCHEDULED: Form = { states: ['SCHEDULED'] };
const NONE: Form = { states: ['RECYCLING'] };
const pageOne = lists({ counted: false });
/** Workspaces whose hundredth page is asked for: its cursor has to be walked to. */
export const DEEP_WORKSPACES = 3;
export const DEEP_PAGE = 100;
const pageHundred = ({ facts, dialect, cursors }: Asking): Request[] =>
  facts.readers
    .slice(0, DEEP_WORKSPACES)
    .map((workspace) => dialect.posts({ workspace, counted: false, after: cursors[workspace] }));
/** As many of the one as of the other. */
const bothPages = (asking: Asking): Request[] => {
  const deep = pageHundred(asking);
  return pageOne(asking).flatMap((request, index) => [request, deep[index % deep.length]!]);
};
const searches = ({ facts, dialect }: Asking): Request[] =>
  facts.readers.map((workspace, index) => dialect.posts({ workspace, query: topic(index) }));

/** How often one connection's posts have been changed, so that each change is one. */
function updates({ facts, dialect }: Asking, connection: number, connections: number): Traffic {
  const posts = facts.updates
    .filter((_, index) => index % connections === connection)
    .map((post) => ({ ...post }));
  let turn = 0;
  return {
    next: () => {
      const post = posts[turn++ % posts.length]!;
      const request = dialect.update({
        workspace: post.workspace,
        id: post.id,
        expectedVersion: post.version,
        text: `Version ${post.version + 1} of a text that changes, about ${topic(post.version)} and more.`,
      });
      post.version += 1;
      return request;
    },
  };
}

const removals = (
  { facts, dialect }: Asking,
  connection: number,
  connections: number,
): Traffic => ({
  once: facts.deletions
    .filter((_, index) => index % connections === connection)
    .map(({ workspace, ids }) => dialect.remove(workspace, ids)),
});

/** What is measured. */
export const OPERATIONS: readonly Operation[] = [
  read(
    'Q1',
    'first page of 25 with account, user, labels, media and the exact count: no filter, SCHEDULED and a group without a match in turn',
    lists(ALL, SCHEDULED, NONE),
  ),
  read('Q1all', 'Q1 without a filter', lists(ALL), { isForm: true }),
  read('Q1scheduled', 'Q1 of the group SCHEDULED', lists(SCHEDULED), { isForm: true }),
  read('Q1none', 'Q1 of a group without a match', lists(NONE), { isForm: true }),
  read(
    'Q1k',
    'Q1 without a filter and without the count: page 1 and page 100 by cursor in turn',
    bothPages,
  ),
  read('Q1k1', 'Q1k at page 1', pageOne, { isForm: true }),
  read('Q1k100', 'Q1k at page 100', pageHundred, { isForm: true }),
  read('Q2', 'one post in detail', ({ facts, dialect }) =>
    facts.details.map(({ workspace, id }) => dialect.post(workspace, id)),
  ),
  read('Q3', '{ __typename }', ({ dialect }) => [dialect.typename()]),
  read(
    'S1',
    'search for a word that 200 of 8,000 posts have, first page of 25 and the count',
    searches,
  ),
  {
    name: 'M1',
    title: 'text of a scheduled post, with version check and revision',
    door: 'graphql',
    changes: true,
    isWell: (body) => body.includes('"version":'),
    traffic: updates,
  },
  {
    name: 'M2',
    title: '25 posts deleted at once',
    door: 'graphql',
    changes: true,
    isWell: (body) => isNoError(body) && !body.includes('"deletedIds":[]'),
    traffic: removals,
  },
  read(
    'R1',
    'v1 list, 10 posts and the total',
    ({ facts }) => facts.readers.map((workspace) => v1.list(workspace)),
    { door: 'v1' },
  ),
  read(
    'R2',
    'v1 detail',
    ({ facts }) => facts.details.map(({ workspace, id }) => v1.detail(workspace, id)),
    { door: 'v1' },
  ),
];
