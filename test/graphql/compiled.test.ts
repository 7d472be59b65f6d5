import fc from 'fast-check';
import {
  buildSchema,
  execute,
  getNamedType,
  getOperationAST,
  isLeafType,
  parse,
  validate,
  type ExecutionResult,
  type GraphQLObjectType,
} from 'graphql';
import type { GatewayContext } from '../../src/graphql/context.js';
import { keepRoots } from '../../src/graphql/compiled/kept-roots.js';
import { createPlannedAnswers } from '../../src/graphql/compiled/planned-answers.js';
import { noteMakes } from '../../src/graphql/selection/row-fields.js';
import { buildGatewaySchema } from '../../src/graphql/schema.js';
import type { Posts } from '../../src/services/posts/post-outcomes.js';
import { wildValues } from '../fixtures/random/damage.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { arbitraryOperation, type Operation } from '../fixtures/random/operations.js';
import { openDoor } from './asking.js';

const schema = buildGatewaySchema();
const answers = createPlannedAnswers(schema);

let door: Awaited<ReturnType<typeof openDoor>>;
/** Somebody who asks: each question has a context of its own. */
type Asker = () => GatewayContext;
const as =
  (viewer: KeyedViewer): Asker =>
  () =>
    door.context(viewer);
let viewers: [KeyedViewer, KeyedViewer];
/** Members of different roles and scopes, and somebody who named no workspace. */
let askers: readonly Asker[];
let publishedId: string;
let pools: Record<string, unknown[]>;
afterAll(() => door.database.drop());
beforeAll(async () => {
  door = await openDoor();
  const { records } = door;
  const owner = await records.aViewer({ role: 'owner' });
  const reader = await records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'viewer',
    scopes: ['posts:read'],
  });
  const few = await records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'editor',
    scopes: ['accounts'],
  });
  viewers = [owner, reader];
  askers = [as(owner), as(reader), as(few), () => door.context(owner, { kind: 'missing' })];
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
      cell: 'published_posted',
      type: 'article',
      title: 'Two',
      content: [{ type: 'paragraph', data: { text: '<b>bold</b>' } }],
      tags: ['a', 'b'],
      location: { id: '5', name: null },
    }),
    await records.aPost({ by: owner, cell: 'draft_private_undated', text: 'mine' }),
    await records.aPost({ by: reader, cell: 'draft_undated', text: 'by the reader' }),
    await records.aPost({
      ...at,
      cell: 'recurring',
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
  publishedId = id;
  await door.database.prisma.postAnalytics.create({
    data: {
      postId,
      reach: 1_000,
      engagementRate: 0.125,
      likes: 7,
      updatedAt: new Date('2026-11-02T08:00:00Z'),
    },
  });
  await door.database.prisma.notification.create({
    data: {
      id: records.ids.prefixed('ntf'),
      userId: owner.user.id,
      workspaceId,
      kind: 'approval_needed',
      message: 'Look at "this"',
      postId,
    },
  });
  const edited = await door.ask(
    owner,
    'mutation($id: ID!) { updatePost(input: { id: $id, post: { title: "Three" } }) { job { id } } }',
    { id },
  );
  const stranger = await records.aViewer({ role: 'owner' });
  const foreign = await records.aPost({ by: stranger, cell: 'draft_undated' });
  const { data } = await door.ask(owner, '{ posts(first: 2) { edges { cursor } } }');
  const ids = [...posts, foreign].flatMap(({ id, databaseId }) => [id, String(databaseId)]);
  const everyId = [
    ...ids,
    edited.data.updatePost.job.id,
    account.id,
    labels[0]!.id,
    media.id,
    owner.user.id,
    workspaceId,
    stranger.workspace.id,
    '0123456789abcdef01234567',
    'nope',
  ];
  pools = {
    'Query.post.id': ids,
    'Query.node.id': everyId,
    'Query.nodes.ids': everyId,
    first: [1, 2, 5],
    last: [1, 3],
    after: [data.posts.edges[0].cursor],
    before: [data.posts.edges[1].cursor],
    'PostFilter.accountIds': [account.id, 'acc_none'],
    'PostFilter.labelIds': [labels[0]!.id],
    'PostFilter.memberId': [owner.user.id, reader.user.id],
    'PostFilter.query': ['text', 'mine'],
  };
});

/** Errors of several fields come in the order in which the fields failed, which is chance. */
const plain = ({ data, errors }: ExecutionResult): unknown =>
  JSON.parse(
    JSON.stringify({
      data,
      errors: errors?.toSorted((a, b) => (String(a.path) < String(b.path) ? -1 : 1)),
    }),
  );

/** Both ways to the same answer, each with a context of its own: what the planned one gave up, graphql-js completes from what it was given. */
async function bothWays(
  { query, variables = {}, operationName }: Partial<Operation> & Pick<Operation, 'query'>,
  asker: Asker,
) {
  const document = parse(query);
  const operation = getOperationAST(document, operationName)!;
  const run = (context: GatewayContext): Promise<ExecutionResult> =>
    Promise.resolve(
      execute({
        schema,
        document,
        operationName,
        variableValues: variables,
        contextValue: context,
      }),
    );
  const context = asker();
  const text = (await answers({ document, operation, variables, context }))?.text ?? null;
  const ordinary = await run(asker());
  return {
    text,
    ordinary,
    completed:
      text === null ? await run(context) : { data: JSON.parse(text) as Record<string, unknown> },
  };
}

it('gives what graphql-js gives, to the byte, on random operations over the whole schema: errors and their paths too', async () => {
  const operations = arbitraryOperation(schema, pools, {
    weights: { 'Query.posts': 4, 'Query.post': 3 },
  });
  let [planned, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(operations, fc.nat({ max: askers.length - 1 }), async (operation, who) => {
      const { text, ordinary, completed } = await bothWays(operation, askers[who]!);
      expect(plain(completed)).toEqual(plain(ordinary));
      if (text === null) {
        refused += Number(ordinary.errors !== undefined);
        return;
      }
      planned += 1;
      expect(ordinary.errors).toBeUndefined();
      expect(text).toBe(JSON.stringify(ordinary.data));
    }),
    { numRuns: 1_000, seed: 21 },
  );
  expect({ areMany: planned > 100, someRefused: refused > 50 }).toEqual({
    areMany: true,
    someRefused: true,
  });
}, 120_000);

it('gives what graphql-js gives on random mutations too, which both try without making them', async () => {
  const own = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      door.records.aPost({
        by: viewers[0],
        cell: n % 2 === 0 ? 'draft_undated' : 'published_posted',
        text: `Number ${n}`,
      }),
    ),
  );
  const ids = [...own.map(({ id }) => id), '0123456789abcdef01234567'];
  const operations = arbitraryOperation(
    schema,
    {
      ...pools,
      'UpdatePostInput.id': ids,
      'DeletePostsInput.ids': ids,
      'PostPatch.text': ['another', 'a third'],
    },
    { kinds: ['mutation'], weights: { 'Mutation.updatePost': 4 } },
  );
  const tried: Posts = {
    ...door.posts,
    update: (viewer, request) => door.posts.update(viewer, { ...request, dryRun: true }),
    remove: (viewer, request) => door.posts.remove(viewer, { ...request, dryRun: true }),
  };
  const trying: readonly Asker[] = [
    ...viewers.map((viewer) => () => door.context(viewer, undefined, { posts: tried })),
    () => door.context(viewers[0], { kind: 'missing' }, { posts: tried }),
  ];
  let planned = 0;
  await fc.assert(
    fc.asyncProperty(operations, fc.nat({ max: trying.length - 1 }), async (operation, who) => {
      const { text, ordinary, completed } = await bothWays(operation, trying[who]!);
      expect(plain(completed)).toEqual(plain(ordinary));
      if (text === null) return;
      planned += 1;
      expect(text).toBe(JSON.stringify(ordinary.data));
    }),
    { numRuns: 400, seed: 22 },
  );
  expect(planned).toBeGreaterThan(20);
}, 120_000);

it('leaves to graphql-js what variables have that they may not', async () => {
  const isSound = ({ query }: Operation): boolean => {
    try {
      return validate(schema, parse(query)).length === 0;
    } catch {
      return false; // no GraphQL at all
    }
  };
  const operations = arbitraryOperation(schema, pools, {
    weights: { 'Query.posts': 4, 'Query.post': 3 },
    wild: wildValues,
  }).filter(isSound);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(operations, async (operation) => {
      const { text, ordinary, completed } = await bothWays(operation, as(viewers[0]));
      expect(plain(completed)).toEqual(plain(ordinary));
      if (text !== null) expect(text).toBe(JSON.stringify(ordinary.data));
      refused += Number(ordinary.data === undefined);
    }),
    { numRuns: 300, seed: 23 },
  );
  expect(refused).toBeGreaterThan(20);
}, 120_000);

const LIST =
  'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { __typename id text state account { id provider socialId } user { name } labels { name color } media { url altText } }';
it.each<[string, string]>([
  ['a list', `{ posts(first: 3) { ${LIST} } }`],
  [
    'its edges and facets',
    '{ posts { edges { cursor node { id link { url } } } facets { exact states { state count } labels { label { name } count } } } }',
  ],
  [
    'a post with all that is made of its row',
    '{ a: posts(first: 9) { nodes { editability { field allowed rule } deletability { allowed code } contentHtml details { reminder sponsor { id name } } location { name } recycling { gap } recurring { weekdays } tags content { type data } sublinks { url } networkKind queued } } }',
  ],
  [
    'records',
    '{ viewer { user { name } scopes key { createdAt } workspace { id plan } } accounts { id needsReauthorization } networks { network dailyCaps { limit } } labels { nodes { name } } }',
  ],
  [
    'fragments, aliases and one field in two places',
    '{ p: posts { ...C n: nodes { x: text } } } fragment C on PostConnection { n: nodes { y: title ... on Node { id } ... { x: text } } }',
  ],
  [
    '@include and @skip',
    'query($yes: Boolean = true, $no: Boolean = false) { posts { totalCount @include(if: $no) nodes { text @include(if: $yes) title @skip(if: $yes) } } a: __typename @skip(if: $no) }',
  ],
  ['__typename alone', '{ __typename }'],
  ['nothing at all', '{ posts @skip(if: true) { totalCount } }'],
])('plans %s', async (_what, query) => {
  const { text, ordinary } = await bothWays({ query }, as(viewers[0]));
  expect(ordinary.errors).toBeUndefined();
  expect(text).toBe(JSON.stringify(ordinary.data));
});

it.each([
  ['leads to other posts', '{ posts { nodes { parent { id } } } }'],
  ['is authorized on its own', '{ posts { nodes { account { dailyCaps { limit } } } } }'],
  ['is of an interface', '{ node(id: "nope") { id } }'],
  ['asks the schema', '{ __schema { queryType { name } } }'],
])('leaves to graphql-js what %s', async (_what, query) => {
  expect(await bothWays({ query }, as(viewers[0]))).toMatchObject({ text: null });
});

it('plans every field of a post but those that lead to other posts', async () => {
  const left: string[] = [];
  for (const { name, type } of Object.values(
    (schema.getType('Post') as GraphQLObjectType).getFields(),
  )) {
    const selection = isLeafType(getNamedType(type)) ? name : `${name} { __typename }`;
    const { text, ordinary } = await bothWays(
      {
        query: `query($id: ID!) { post(id: $id) { ${selection} } }`,
        variables: { id: publishedId },
      },
      as(viewers[0]),
    );
    expect(ordinary.errors).toBeUndefined();
    if (text === null) left.push(name);
  }
  expect(left).toEqual(['parent', 'occurrences']);
});

it('never skips what a field asks of the key: a refusal is graphql-js’s', async () => {
  const noScope = await door.records.aViewer({
    workspaceId: viewers[0].workspace.id,
    role: 'editor',
    scopes: ['accounts'],
  });
  const { text, completed } = await bothWays(
    { query: '{ posts { totalCount } accounts { id } }' },
    as(noScope),
  );
  expect(text).toBeNull();
  expect(
    completed.errors?.map(({ path, originalError }) => [
      path,
      (originalError as { code?: string }).code,
    ]),
  ).toEqual([[['posts'], 'MISSING_SCOPE']]);
});

it('writes anew for each viewer what depends on who asks, in whatever order they do', async () => {
  const shown = async (viewer: KeyedViewer): Promise<string | null> =>
    (
      await bothWays(
        { query: '{ posts(first: 9) { nodes { account { id socialId } } } }' },
        as(viewer),
      )
    ).text;
  const [owner, reader] = viewers;
  const [first, second, again, other] = [
    await shown(owner),
    await shown(reader),
    await shown(owner),
    await shown(reader),
  ];
  expect([again, other]).toEqual([first, second]);
  expect(first).toContain('"socialId":"');
  expect(second).toContain('"socialId":null');
  expect(second).not.toContain('"socialId":"');
});

describe('what a plan gives up', () => {
  /** A field of each kind that counts how often it was asked. */
  function counting(given: Record<string, unknown>) {
    const small = buildSchema(
      'type Query { get: Thing } type Mutation { set: Thing } type Thing { name: String! later: String many: [String] }',
    );
    let asked = 0;
    for (const [root, name] of [
      [small.getQueryType(), 'get'],
      [small.getMutationType(), 'set'],
    ] as [GraphQLObjectType, string][]) {
      root.getFields()[name]!.resolve = () => {
        asked += 1;
        return Promise.resolve(given);
      };
    }
    noteMakes(small);
    keepRoots(small);
    const ways = createPlannedAnswers(small);
    const once = async (query: string) => {
      const document = parse(query);
      const context = { run: { roots: new Map() } } as unknown as GatewayContext;
      const planned = await ways({
        document,
        operation: getOperationAST(document)!,
        variables: {},
        context,
      });
      const result = planned
        ? null
        : plain(await execute({ schema: small, document, contextValue: context }));
      return { text: planned?.text, result, asked };
    };
    return once;
  }

  it.each([
    ['query', '{ get { name } }', 'get'],
    ['mutation', 'mutation { set { name } }', 'set'],
  ])('is completed by graphql-js without asking the %s again', async (_kind, query, key) => {
    expect(await counting({ name: null })(query)).toMatchObject({
      text: undefined,
      asked: 1,
      result: { data: { [key]: null }, errors: [{ path: [key, 'name'] }] },
    });
  });

  it('is so for every value that is not there yet, or is an error', async () => {
    expect(await counting({ name: Promise.resolve('late') })('{ get { name } }')).toMatchObject({
      text: undefined,
      result: { data: { get: { name: 'late' } } },
    });
    expect(
      await counting({ name: 'x', later: new Error('no') })('{ get { name later } }'),
    ).toMatchObject({
      result: { data: { get: { name: 'x', later: null } }, errors: [{ message: 'no' }] },
    });
    expect(await counting({ name: 'x', many: new Set(['a']) })('{ get { many } }')).toMatchObject({
      result: { data: { get: { many: ['a'] } } },
    });
    expect(
      await counting({ name: () => 'called', later: 5 })('{ get { name later } }'),
    ).toMatchObject({ text: '{"get":{"name":"called","later":"5"}}' });
  });
});
