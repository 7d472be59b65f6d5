import { STORED_STATES } from './product.js';
import { graphql, type Request } from './requests.js';
import { VIEWER } from './seed.js';
import { wordsOf } from './peers/list-sql.js';
import { storedStatesOf } from './peers/states.js';
import { CONTRACT_DOCUMENTS, POSTGRAPHILE_DOCUMENTS, withSelection } from './documents.js';

export interface ListParameters {
  readonly workspace: string;
  readonly states?: readonly string[];
  readonly query?: string;
  readonly after?: string | undefined;
  readonly counted?: boolean;
}
/** Which fields of a post are read, and by which member: both 0 unless given. */
export interface PostParameters {
  readonly selection?: number;
  readonly member?: number;
}
export interface UpdateParameters {
  readonly workspace: string;
  readonly id: string;
  readonly text: string;
  readonly expectedVersion: number;
  /** Only the gateway has idempotency keys. */
  readonly idempotencyKey?: string;
}

/** Scheduled posts with the same text, one for each target. */
export interface CreateParameters {
  readonly workspace: string;
  readonly text: string;
  readonly targets: readonly { readonly accountId: string; readonly scheduledAt: string }[];
}

/** Requests and responses of the operations in one GraphQL schema. */
export interface Dialect {
  typename(): Request;
  posts(parameters: ListParameters): Request;
  post(workspace: string, id: string, parameters?: PostParameters): Request;
  create(parameters: CreateParameters): Request;
  update(parameters: UpdateParameters): Request;
  remove(workspace: string, ids: readonly string[]): Request;
  /** A response in a form that is comparable between servers: ISO times, sorted labels, no cursors. */
  readonly normalize: (body: any) => unknown;
  readonly endCursor: (body: any) => string;
}

const TIMES = new Set(['scheduledAt', 'createdAt', 'updatedAt']);
const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** A response without the parts that differ between servers. */
const withoutDifferences = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (key === 'endCursor' || key === 'extensions') return undefined;
      if (key === 'labels') return [...(value as { name: string }[])].sort(byName);
      return TIMES.has(key) && typeof value === 'string' ? new Date(value).toISOString() : value;
    }),
  );
/** The time of a change differs between runs. */
const withoutTimes = (body: any): any => {
  const post = body.data?.updatePost?.post;
  if (post) post.updatedAt = 'now';
  return body;
};
/** Servers choose the IDs of new posts. */
const withoutNewIds = (body: any): any => {
  const payload = body.data?.createPosts;
  if (payload) payload.posts = payload.posts.map(() => 'a post');
  return body;
};
const codesOnly = (body: any): any => {
  const payload = body.data?.updatePost;
  return payload
    ? {
        data: {
          updatePost: {
            ...payload,
            userErrors: payload.userErrors.map(({ code }: { code: string }) => ({ code })),
          },
        },
      }
    : body;
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
  post: (workspace, id, { selection = 0, member = 0 } = {}) =>
    graphql(workspace, 'Post', withSelection(CONTRACT_DOCUMENTS.Post, selection), { id }, member),
  create: ({ workspace, text, targets }) =>
    graphql(workspace, 'Create', CONTRACT_DOCUMENTS.Create, {
      input: { targets, post: { type: 'STATUS', text }, mode: 'SCHEDULE' },
    }),
  update: ({ workspace, id, text, expectedVersion, idempotencyKey }) =>
    graphql(workspace, 'Update', CONTRACT_DOCUMENTS.Update, {
      input: { id, expectedVersion, ...(idempotencyKey && { idempotencyKey }), post: { text } },
    }),
  remove: (workspace, ids) =>
    graphql(workspace, 'Delete', CONTRACT_DOCUMENTS.Delete, { input: { ids } }),
  normalize: (body) => codesOnly(withoutNewIds(withoutTimes(withoutDifferences(body)))),
  endCursor: ({ data }) => data.posts.pageInfo.endCursor as string,
};

const shownState: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(STORED_STATES).map(({ number, state }) => [number, state.toUpperCase()]),
);

/** A post of PostGraphile's schema in the schema of the gateway. */
const toContractPost = ({
  docId,
  storedState,
  postBodyByPostId: body,
  accountByWorkspaceIdAndAccountId: account,
  appUserByCreatorId: user,
  postLabelsByPostId,
  postMediasByPostId,
  type,
  network,
  ...others
}: any) => {
  const { text, url, link, ...details } = body;
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
    ...others,
    ...details,
    text,
    state: shownState[storedState],
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
  const { allPosts, addPosts, updateText, removePosts, ...others } = data;
  if (addPosts) return { data: { createPosts: { posts: addPosts.createdIds, userErrors: [] } } };
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
  if (!allPosts) return { data: others };
  const nodes = allPosts.nodes.map(toContractPost);
  return {
    data: allPosts.pageInfo ? { posts: { ...allPosts, nodes } } : { post: nodes[0] ?? null },
  };
}

const POSTGRAPHILE: Dialect = {
  typename: () => graphql(null, 'Typename', POSTGRAPHILE_DOCUMENTS.Typename, {}),
  posts({ workspace, states, query, after, counted = true }) {
    const name = counted ? 'Posts' : 'PostsUncounted';
    const words = query && wordsOf(workspace, query);
    const condition = {
      workspaceId: workspace,
      visibleTo: VIEWER,
      ...(states && { inStoredStates: storedStatesOf(states) }),
      ...(words && { withWords: words }),
    };
    return graphql(workspace, name, POSTGRAPHILE_DOCUMENTS[name], {
      condition,
      ...(after && { after }),
    });
  },
  post: (workspace, id, { selection = 0 } = {}) =>
    graphql(workspace, 'Post', withSelection(POSTGRAPHILE_DOCUMENTS.Post, selection), {
      condition: { workspaceId: workspace, docId: id, visibleTo: VIEWER },
    }),
  create: ({ workspace, text, targets }) =>
    graphql(workspace, 'Create', POSTGRAPHILE_DOCUMENTS.Create, {
      input: { workspace, text, targets },
    }),
  update: ({ workspace, id, text, expectedVersion }) =>
    graphql(workspace, 'Update', POSTGRAPHILE_DOCUMENTS.Update, {
      input: { workspace, id, text, expectedVersion },
    }),
  remove: (workspace, ids) =>
    graphql(workspace, 'Delete', POSTGRAPHILE_DOCUMENTS.Delete, { workspace, ids }),
  normalize: (body) => withoutNewIds(withoutTimes(withoutDifferences(toContract(body)))),
  endCursor: ({ data }) => data.allPosts.pageInfo.endCursor as string,
};

export const DIALECTS = { contract: CONTRACT, postgraphile: POSTGRAPHILE } as const;
export type DialectName = keyof typeof DIALECTS;
