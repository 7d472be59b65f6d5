import {
  execute,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import type { Plugin } from '../../../src/graphql/apollo-server.js';
import { createCompiledExecution } from '../../../src/graphql/compiled/compiled-execution.js';
import type { GatewayContext } from '../../../src/graphql/context.js';
import { createDocuments } from '../../../src/graphql/document/prepared-document.js';
import { buildGatewaySchema } from '../../../src/graphql/schema/schema.js';
import type { Operation } from '../../fixtures/random/operations.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { openTestApi } from '../test-api.js';

export const schema: GraphQLSchema = buildGatewaySchema();
const executeCompiled = createCompiledExecution(schema);
const prepare = createDocuments(schema);

/** Whether an operation is valid and within the limits. */
export const isExecutable = ({ query }: Operation): boolean => prepare(query).errors === null;

/** Creates a new context for each execution. */
export type CreateContext = () => GatewayContext;

/** A workspace with records of every kind, and viewers of different roles and scopes. */
export async function openComparison(plugins: readonly Plugin[] = []) {
  const api = await openTestApi({ plugins });
  const as =
    (viewer: KeyedViewer): CreateContext =>
    () =>
      api.context(viewer);
  const { records } = api;
  const owner = await records.aViewer({ role: 'owner' });
  const reader = await records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'viewer',
    scopes: ['posts:read'],
  });
  const accountsOnly = await records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'editor',
    scopes: ['accounts'],
  });
  const contexts = [
    as(owner),
    as(reader),
    as(accountsOnly),
    () => api.context(owner, { kind: 'missing' }),
  ];
  const workspaceId = owner.workspace.id;
  const account = await records.anAccount({ workspaceId, network: 'wordpress' });
  const labels = [
    await records.aLabel({ workspaceId, name: 'spring' }),
    await records.aLabel({ workspaceId, name: 'Autumn' }),
  ];
  const media = await records.aMedia({ workspaceId, url: 'https://example.org/a.png' });
  const at = { by: owner, account, createdAt: new Date('2026-11-01T08:00:00Z') };
  const posts = [
    await records.aPost({
      ...at,
      labels,
      media: [media],
      text: 'A "quoted" text,\n\u2028 with a tab\t and \u{1F600}',
      link: { url: 'https://example.org/', title: 'Site' },
      url: 'https://example.org/',
    }),
    await records.aPost({
      ...at,
      storedState: 'published_posted',
      type: 'article',
      title: 'Two',
      content: [{ type: 'paragraph', data: { text: '<b>bold</b>' } }],
      tags: ['a', 'b'],
      location: { id: '5', name: null },
    }),
    await records.aPost({ by: owner, storedState: 'draft_private_undated', text: 'mine' }),
    await records.aPost({ by: reader, storedState: 'draft_undated', text: 'by the reader' }),
    await records.aPost({
      ...at,
      storedState: 'recurring',
      recurring: { repeat: 'weekly', daysOfWeek: [0, 3] },
    }),
    await records.aPost({
      ...at,
      recycling: { gap: 3 },
      details: { sponsor: { name: 'x' }, reminder: true },
    }),
  ];
  await records.aPost({ ...at, parentId: posts[4]!.databaseId, text: 'child' });
  const { id, databaseId: postId } = posts[1]!;
  await api.database.prisma.postAnalytics.create({
    data: {
      postId,
      workspaceId: owner.workspace.id,
      reach: 1_000,
      engagementRate: 0.125,
      likes: 7,
      updatedAt: new Date('2026-11-02T08:00:00Z'),
    },
  });
  await api.database.prisma.notification.create({
    data: {
      id: records.ids.prefixed('ntf'),
      userId: owner.user.id,
      workspaceId,
      kind: 'approval_needed',
      message: 'Look at "this"',
      postId,
    },
  });
  const edited = await api.execute(
    owner,
    'mutation($id: ID!) { updatePost(input: { id: $id, post: { title: "Three" } }) { job { id } } }',
    { id },
  );
  const otherOwner = await records.aViewer({ role: 'owner' });
  const foreignPost = await records.aPost({ by: otherOwner, storedState: 'draft_undated' });
  const { data } = await api.execute(owner, '{ posts(first: 2) { edges { cursor } } }');
  const ids = [...posts, foreignPost].flatMap(({ id, databaseId }) => [id, String(databaseId)]);
  const everyId = [
    ...ids,
    edited.data.updatePost.job.id,
    account.id,
    labels[0]!.id,
    media.id,
    owner.user.id,
    workspaceId,
    otherOwner.workspace.id,
    '0123456789abcdef01234567',
    'nope',
  ];
  const pools = {
    'Query.post.id': ids,
    'Query.node.id': everyId,
    'Query.nodes.ids': everyId,
    first: [1, 2, 5],
    last: [1, 3],
    after: [data.posts.edges[0].cursor],
    before: [data.posts.edges[1].cursor],
    'PostFilter.accountIds': [account.id, 'acc_none'],
    'PostFilter.labelIds': [labels[0]!.id],
    'PostFilter.groupIds': ['grp_none'],
    'PostFilter.memberId': [owner.user.id, reader.user.id],
    'PostFilter.query': ['text', 'mine'],
  };
  return {
    api,
    as,
    viewers: [owner, reader] as [KeyedViewer, KeyedViewer],
    /** Members of different roles and scopes, and a caller without a workspace. */
    contexts,
    publishedId: id,
    pools,
  };
}

type PlainError = Pick<GraphQLFormattedError, 'message' | 'path'>;
type PlainResult = { data?: unknown; errors?: PlainError[] };

export const toPlainResult = (result: Pick<ExecutionResult, 'data' | 'errors'>): PlainResult =>
  JSON.parse(JSON.stringify({ data: result.data, errors: result.errors })) as PlainResult;

/** How much of the path is left in the data: an error in a non-null field removes its parent. */
function pathLeft(data: unknown, path: NonNullable<PlainError['path']>) {
  let value = data;
  const nullAt = path.findIndex((key) => {
    if (value === null) return true;
    value = (value as Record<string | number, unknown>)[key];
    return false;
  });
  return nullAt < 0 ? path : path.slice(0, nullAt);
}

/**
 * The part of a result that does not depend on timing. The order of errors does. Once an error has
 * removed an object from the data, so does whether the errors of its other fields are reported, so
 * those count as one.
 */
export function toComparableResult(result: Pick<ExecutionResult, 'data' | 'errors'>): unknown {
  const { data, errors } = toPlainResult(result);
  if (data === undefined) return { errors };
  const comparable = errors?.map(({ path = [], ...error }) => {
    const left = pathLeft(data, path);
    return JSON.stringify(left.length === path.length ? { path, ...error } : { path: left });
  });
  return { data, errors: comparable && [...new Set(comparable)].toSorted() };
}

/**
 * Executes an operation compiled and by graphql-js. What is not compiled, graphql-js completes in
 * the context of the compiled execution.
 */
export async function executeBothWays(
  { query, variables = {}, operationName }: Partial<Operation> & Pick<Operation, 'query'>,
  createContext: CreateContext,
) {
  const { document, operations } = prepare(query).prepared!;
  const operation = operations.get(operationName ?? undefined)!;
  const run = (context: GatewayContext): Promise<ExecutionResult> => {
    context.state.operation = operation;
    return Promise.resolve(
      execute({
        schema,
        document,
        operationName,
        variableValues: variables,
        contextValue: context,
      }),
    );
  };
  const context = createContext();
  context.state.operation = operation;
  const text = await executeCompiled({ operation, variables, context });
  const expected = await run(createContext());
  return {
    text,
    expected,
    completed:
      text === null ? await run(context) : { data: JSON.parse(text) as Record<string, unknown> },
  };
}
