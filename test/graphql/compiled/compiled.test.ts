import { getNamedType, isLeafType, type GraphQLObjectType } from 'graphql';
import type { KeyedViewer } from '../../fixtures/records.js';
import { executeBothWays, openComparison, schema } from './compiled-comparison.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const comparison = forAllTests(() => openComparison());
afterAll(() => comparison.api.database.drop());

const LIST =
  'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { __typename id text state account { id provider socialId } user { name } labels { name color } media { url altText } }';

it.each<[string, string]>([
  ['a list', `{ posts(first: 3) { ${LIST} } }`],
  [
    'its edges and facets',
    '{ posts { edges { cursor node { id link { url } } } facets { exact states { state count } labels { label { name } count } } } }',
  ],
  [
    'all computed fields of a post',
    '{ a: posts(first: 9) { nodes { editability { field allowed rule } deletability { allowed code } contentHtml details { reminder sponsor { id name } } location { name } recycling { gap } recurring { weekdays } tags content { type data } sublinks { url } networkKind queued } } }',
  ],
  [
    'records',
    '{ viewer { user { name } scopes key { createdAt } workspace { id plan } } accounts { id needsReauthorization } networks { network dailyCaps { limit } } labels { nodes { name } } }',
  ],
  [
    'fragments, aliases and a field that is selected twice',
    '{ p: posts { ...C n: nodes { x: text } } } fragment C on PostConnection { n: nodes { y: title ... on Node { id } ... { x: text } } }',
  ],
  [
    '@include and @skip',
    'query($yes: Boolean = true, $no: Boolean = false) { posts { totalCount @include(if: $no) nodes { text @include(if: $yes) title @skip(if: $yes) } } a: __typename @skip(if: $no) }',
  ],
  ['__typename alone', '{ __typename }'],
  ['an empty selection', '{ posts @skip(if: true) { totalCount } }'],
])('compiles %s', async (_what, query) => {
  const { text, expected } = await executeBothWays({ query }, comparison.as(comparison.viewers[0]));
  expect(expected.errors).toBeUndefined();
  expect(text).toBe(JSON.stringify(expected.data));
});

it.each([
  ['loads other posts', '{ posts { nodes { parent { id } } } }'],
  ['has scope requirements', '{ posts { nodes { account { dailyCaps { limit } } } } }'],
  ['is a field of an interface', '{ node(id: "nope") { id } }'],
  ['is introspection', '{ __schema { queryType { name } } }'],
])('leaves to graphql-js a selection that %s', async (_what, query) => {
  expect(await executeBothWays({ query }, comparison.as(comparison.viewers[0]))).toMatchObject({
    text: null,
  });
});

it('compiles every field of a post except those that load other posts, its history or its readings', async () => {
  const notCompiled: string[] = [];
  for (const { name, type } of Object.values(
    (schema.getType('Post') as GraphQLObjectType).getFields(),
  )) {
    const selection = isLeafType(getNamedType(type)) ? name : `${name} { __typename }`;
    const { text, expected } = await executeBothWays(
      {
        query: `query($id: ID!) { post(id: $id) { ${selection} } }`,
        variables: { id: comparison.publishedId },
      },
      comparison.as(comparison.viewers[0]),
    );
    expect(expected.errors).toBeUndefined();
    if (text === null) notCompiled.push(name);
  }
  expect(notCompiled).toEqual(['analyticsHistory', 'history', 'parent', 'occurrences']);
});

it('enforces the scopes of fields: graphql-js reports the error', async () => {
  const accountsOnly = await comparison.api.records.aViewer({
    workspaceId: comparison.viewers[0].workspace.id,
    role: 'editor',
    scopes: ['accounts'],
  });
  const { text, completed } = await executeBothWays(
    { query: '{ posts { totalCount } accounts { id } }' },
    comparison.as(accountsOnly),
  );
  expect(text).toBeNull();
  expect(
    completed.errors?.map(({ path, originalError }) => [
      path,
      (originalError as { code?: string }).code,
    ]),
  ).toEqual([[['posts'], 'MISSING_SCOPE']]);
});

it('does not share results that depend on the viewer between viewers', async () => {
  const resultFor = async (viewer: KeyedViewer): Promise<string | null> =>
    (
      await executeBothWays(
        { query: '{ posts(first: 9) { nodes { account { id socialId } } } }' },
        comparison.as(viewer),
      )
    ).text;
  const [owner, reader] = comparison.viewers;
  const [first, second, again, other] = [
    await resultFor(owner),
    await resultFor(reader),
    await resultFor(owner),
    await resultFor(reader),
  ];
  expect([again, other]).toEqual([first, second]);
  expect(first).toContain('"socialId":"');
  expect(second).toContain('"socialId":null');
  expect(second).not.toContain('"socialId":"');
});
