import { CELLS } from './product.js';
import { API_KEY, VIEWER } from './seed.js';
import { tokensOf } from './peers/list-sql.js';
import { cellsOf } from './peers/states.js';
import { CONTRACT_DOCUMENTS, POSTGRAPHILE_DOCUMENTS } from './documents.js';

/** A request as the load generator sends it. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ListAsked {
  readonly workspace: string;
  readonly states?: readonly string[];
  readonly query?: string;
  readonly after?: string | undefined;
  readonly counted?: boolean;
}
export interface UpdateAsked {
  readonly workspace: string;
  readonly id: string;
  readonly text: string;
  readonly expectedVersion: number;
}

/** The operations in the words of one kind of server. */
export interface Dialect {
  typename(): Request;
  posts(asked: ListAsked): Request;
  post(workspace: string, id: string): Request;
  update(asked: UpdateAsked): Request;
  remove(workspace: string, ids: readonly string[]): Request;
  /** What an answer says, in the same words for all: times as ISO texts, labels by name, without cursors. */
  readonly meaning: (answer: any) => unknown;
  readonly endCursor: (answer: any) => string;
}

const headersOf = (workspace: string | null): Record<string, string> => ({
  Authorization: `Bearer-API ${API_KEY}`,
  ...(workspace && { 'Service-Workspace-Id': workspace }),
});

/** A GraphQL request; without a workspace where it is about none. */
export const graphql = (
  workspace: string | null,
  operationName: string,
  query: string,
  variables: object,
): Request => ({
  method: 'POST',
  path: '/graphql',
  headers: { ...headersOf(workspace), 'Content-Type': 'application/json' },
  body: JSON.stringify({ operationName, query, variables }),
});

const TIMES = new Set(['scheduledAt', 'createdAt', 'updatedAt']);
const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** The contract's answer without what each server says its own way. */
const plain = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => {
      if (key === 'endCursor' || key === 'extensions') return undefined;
      if (key === 'labels') return [...(value as { name: string }[])].sort(byName);
      return TIMES.has(key) && typeof value === 'string' ? new Date(value).toISOString() : value;
    }),
  );
/** When a change was made differs from run to run. */
const untimed = (answer: any): any => {
  const post = answer.data?.updatePost?.post;
  if (post) post.updatedAt = 'now';
  return answer;
};
const codesOnly = (answer: any): any => {
  const payload = answer.data?.updatePost;
  return payload
    ? {
        data: {
          updatePost: {
            ...payload,
            userErrors: payload.userErrors.map(({ code }: { code: string }) => ({ code })),
          },
        },
      }
    : answer;
};

const CONTRACT: Dialect = {
  typename: () => graphql(null, 'Typename', CONTRACT_DOCUMENTS.Typename, {}),
  posts({ workspace, states, query, after, counted = true }) {
    const name = counted ? 'Posts' : 'PostsUncounted';
    return graphql(workspace, name, CONTRACT_DOCUMENTS[name], {
      filter: { ...(states && { states }), ...(query && { query }) },
      ...(after && { after }),
    });
  },
  post: (workspace, id) => graphql(workspace, 'Post', CONTRACT_DOCUMENTS.Post, { id }),
  update: ({ workspace, id, text, expectedVersion }) =>
    graphql(workspace, 'Update', CONTRACT_DOCUMENTS.Update, {
      input: { id, expectedVersion, post: { text } },
    }),
  remove: (workspace, ids) =>
    graphql(workspace, 'Delete', CONTRACT_DOCUMENTS.Delete, { input: { ids } }),
  meaning: (answer) => codesOnly(untimed(plain(answer))),
  endCursor: ({ data }) => data.posts.pageInfo.endCursor as string,
};

const shownState: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(CELLS).map(({ number, shows }) => [number, shows.toUpperCase()]),
);

/** A post of PostGraphile's schema in the words of the contract. */
const toContractPost = ({
  docId,
  cell,
  postBodyByPostId: body,
  accountByWorkspaceIdAndAccountId: account,
  appUserByCreatorId: user,
  postLabelsByPostId,
  postMediasByPostId,
  type,
  network,
  ...rest
}: any) => {
  const { text, url, link, ...wide } = body;
  const shownLink =
    link === undefined
      ? {}
      : {
          link: url && {
            url,
            title: link?.title ?? null,
            description: link?.description ?? null,
            imageUrl: link?.defaultImage ?? null,
          },
        };
  return {
    id: docId,
    ...rest,
    ...wide,
    text,
    state: shownState[cell],
    type: type.toUpperCase(),
    network: network.toUpperCase(),
    ...shownLink,
    account: account && { ...account, rowId: undefined, id: account.rowId },
    user: { ...user, rowId: undefined, id: user.rowId },
    labels: postLabelsByPostId.nodes.map(({ labelByLabelId: { rowId, ...label } }: any) => ({
      id: rowId,
      ...label,
    })),
    media: postMediasByPostId.nodes.map(
      ({ altText, mediaByMediaId: { rowId, ...media } }: any) => ({ id: rowId, ...media, altText }),
    ),
  };
};

function toContract({ data }: any): unknown {
  const { allPosts, updateText, removePosts, ...rest } = data;
  if (removePosts)
    return { data: { deletePosts: { deletedIds: removePosts.deletedIds, userErrors: [] } } };
  if (updateText !== undefined)
    return {
      data: {
        updatePost: updateText
          ? { post: updateText, userErrors: [] }
          : { post: null, userErrors: [{ code: 'CONFLICT' }] },
      },
    };
  if (!allPosts) return { data: rest };
  const nodes = allPosts.nodes.map(toContractPost);
  return {
    data: allPosts.pageInfo ? { posts: { ...allPosts, nodes } } : { post: nodes[0] ?? null },
  };
}

const POSTGRAPHILE: Dialect = {
  typename: () => graphql(null, 'Typename', POSTGRAPHILE_DOCUMENTS.Typename, {}),
  posts({ workspace, states, query, after, counted = true }) {
    const name = counted ? 'Posts' : 'PostsUncounted';
    const tokens = query && tokensOf(workspace, query);
    const condition = {
      workspaceId: workspace,
      visibleTo: VIEWER,
      ...(states && { inCells: cellsOf(states) }),
      ...(tokens && { withTokens: tokens }),
    };
    return graphql(workspace, name, POSTGRAPHILE_DOCUMENTS[name], {
      condition,
      ...(after && { after }),
    });
  },
  post: (workspace, id) =>
    graphql(workspace, 'Post', POSTGRAPHILE_DOCUMENTS.Post, {
      condition: { workspaceId: workspace, docId: id, visibleTo: VIEWER },
    }),
  update: ({ workspace, id, text, expectedVersion }) =>
    graphql(workspace, 'Update', POSTGRAPHILE_DOCUMENTS.Update, {
      input: { workspace, id, text, expectedVersion },
    }),
  remove: (workspace, ids) =>
    graphql(workspace, 'Delete', POSTGRAPHILE_DOCUMENTS.Delete, { workspace, ids }),
  meaning: (answer) => untimed(plain(toContract(answer))),
  endCursor: ({ data }) => data.allPosts.pageInfo.endCursor as string,
};

export const DIALECTS = { contract: CONTRACT, postgraphile: POSTGRAPHILE } as const;
export type DialectName = keyof typeof DIALECTS;

/** v1's requests, the same for all. */
export const v1 = {
  list: (workspace: string, page = 0): Request => ({
    method: 'GET',
    path: page === 0 ? '/v1/posts' : `/v1/posts?page=${page}`,
    headers: headersOf(workspace),
  }),
  detail: (workspace: string, id: string): Request => ({
    method: 'GET',
    path: `/v1/posts/${id}`,
    headers: headersOf(workspace),
  }),
};
