import { execute, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import type { PostSelection } from '../../../src/domain/posts/post-query.js';
import type { GatewayContext } from '../../../src/graphql/context.js';
import { createDocuments } from '../../../src/graphql/document/prepared-document.js';
import { buildGatewaySchema } from '../../../src/graphql/schema/schema.js';
import { postFields, postSelection } from '../../../src/graphql/document/look-ahead.js';

/**
 * Executes a document with resolvers that only look ahead. Returns the selection of each root
 * field, by response name.
 */
function lookAhead(
  source: string,
  variableValues: Record<string, unknown> = {},
): Record<string, unknown> {
  const schema: GraphQLSchema = buildGatewaySchema();
  const selections: Record<string, unknown> = {};
  const fields = schema.getQueryType()!.getFields();
  const toPlain = ({ fields: selected, ...rest }: PostSelection) => ({
    fields: [...selected].sort(),
    ...rest,
  });
  fields.posts!.resolve = (_root, _args, context: GatewayContext, info: GraphQLResolveInfo) =>
    Promise.resolve(
      void (selections[String(info.path.key)] = toPlain(postSelection(context, info))),
    );
  fields.post!.resolve = (_root, _args, context: GatewayContext, info: GraphQLResolveInfo) =>
    Promise.resolve(
      void (selections[String(info.path.key)] = [...postFields(context, info)].sort()),
    );
  const { document, operations } = createDocuments(schema)(source).prepared!;
  const [operation] = [...operations.values()];
  void execute({ schema, document, variableValues, contextValue: { state: { operation } } });
  return selections;
}
const items = (...fields: string[]) => ({ fields, totalCount: false, facets: false, items: true });

it.each<[string, string, unknown]>([
  [
    'fields that are always read have no dependencies',
    '{ posts { nodes { id databaseId state accountId occurrences { totalCount } } } }',
    items(),
  ],
  [
    'dates of posts',
    '{ posts { nodes { scheduledAt createdAt occurrences { totalCount } } } }',
    items('createdAt', 'scheduledAt'),
  ],
  [
    'dependencies of fields',
    '{ posts { nodes { text link { title } deletability { allowed } } } }',
    items('armedAt', 'hasQueuedChild', 'link', 'network', 'queuedAt', 'reminder', 'text', 'url'),
  ],
  [
    'dependencies of relations',
    '{ posts { nodes { parent { text } queued networkKind } } }',
    items('network', 'parentId', 'queuedAt'),
  ],
  [
    'nodes and edges together',
    '{ posts { nodes { text } edges { node { title } cursor } } }',
    items('text', 'title'),
  ],
  ['aliases', '{ posts { a: nodes { x: text } b: nodes { y: title } } }', items('text', 'title')],
  [
    'named and inline fragments',
    '{ posts { ...C ... on PostConnection { nodes { ... { title } } } } } fragment C on PostConnection { nodes { ...P } } fragment P on Post { text ... on Node { id } ... on Post { tags } }',
    items('tags', 'text', 'title'),
  ],
  [
    'a field that is selected twice',
    '{ posts { nodes { account { id } } } posts { nodes { account { name } user { id } } } }',
    items('account', 'user'),
  ],
  [
    'only the total count',
    '{ posts { totalCount } }',
    { fields: [], totalCount: true, facets: false, items: false },
  ],
  [
    'only facets',
    '{ posts { facets { exact } } }',
    { fields: [], totalCount: false, facets: true, items: false },
  ],
  ['only page info', '{ posts { pageInfo { endCursor } } }', items()],
])('%s', (_what, source, expected) => expect(lookAhead(source)).toEqual({ posts: expected }));

it('applies @include and @skip with variables, on fields, spreads and fragments', () => {
  const source = `query($yes: Boolean!, $no: Boolean = false) {
    posts { totalCount @include(if: $no) facets @skip(if: $yes) { exact }
      nodes { text @include(if: $yes) title @skip(if: $yes) ...P @include(if: $no) ... @skip(if: $no) { excerpt } tags @include(if: $no) @skip(if: $no) } } }
    fragment P on Post { media { url } }`;
  expect(lookAhead(source, { yes: true })).toEqual({ posts: items('excerpt', 'text') });
  expect(lookAhead(source, { yes: false, no: true })).toEqual({
    posts: { ...items('media', 'title'), totalCount: true, facets: true },
  });
});

it('selects for each root field separately', () => {
  const source =
    '{ a: posts { nodes { text } } b: posts { totalCount } c: post(id: "1") { media { url } ...F } } fragment F on Node { ... on Post { labels { name } } ... on Job { kind } }';
  expect(lookAhead(source)).toEqual({
    a: items('text'),
    b: { fields: [], totalCount: true, facets: false, items: false },
    c: ['labels', 'media'],
  });
});
