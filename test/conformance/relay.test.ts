import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
} from 'graphql';
import { compileRelay } from '../e2e/clients/relay-project.js';
import { suite } from '../setup/suite.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

/**
 * Runs Relay's compiler over every part of the schema that Relay depends on. test/e2e/clients runs
 * an app built with it.
 */
const schema = buildSchema(
  readFileSync(path.resolve(__dirname, '../../src/graphql/schema.graphql'), 'utf8'),
);
const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
const records = objects.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
const connections = objects.flatMap((type) =>
  Object.values(type.getFields())
    // `Connection` and `AccountConnection` are those of accounts with their networks
    .filter((field) => /.Connection$/.test(getNamedType(field.type).name))
    .filter((field) => getNamedType(field.type).name !== 'AccountConnection')
    .map((field) => ({
      type: type.name,
      field: field.name,
      record: getNamedType(
        (getNamedType(field.type) as GraphQLObjectType).getFields()['nodes']!.type,
      ) as GraphQLObjectType,
      args: field.args.map(({ name }) => name),
    })),
);

const component = (text: string): string =>
  `import { graphql } from 'relay-runtime';\nexport const PART = graphql\`\n${text}\n\`;\n`;
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

it('finds all nodes and connections', () => {
  const node = schema.getType('Node') as GraphQLInterfaceType;
  expect(isInterfaceType(node) && schema.getPossibleTypes(node).length).toBe(records.length);
  expect(connections.map(({ type, field }) => `${type}.${field}`).sort()).toEqual([
    'Post.history',
    'Post.occurrences',
    'Query.labels',
    'Query.media',
    'Query.posts',
    'Viewer.notifications',
    'Webhook.deliveries',
  ]);
  suite.report(
    `Relay’s compiler: ${records.length} kinds of records, ${connections.length} connections.`,
  );
});

it('compiles a refetch of every node type, and pagination of every connection in each of its directions', () => {
  const refetchable = records.map(({ name }): [string, string] => [
    `record${name}.js`,
    component(
      `fragment record${name}_it on ${name} @refetchable(queryName: "record${name}Query") { id __typename }`,
    ),
  ]);
  const directions = [
    ['first', 'after'],
    ['last', 'before'],
  ] as const;
  const paged = connections.flatMap(({ type, field, record, args }) =>
    directions
      .filter(([size]) => args.includes(size))
      .map(([size, from]): [string, string] => {
        // Relay adds the ID of records that have one.
        const [part] = Object.keys(record.getFields());
        const name = `${field}${type}${size}`;
        return [
          `${name}.js`,
          component(
            `fragment ${name}_list on ${type} @argumentDefinitions(size: { type: "Int", defaultValue: 5 }, from: { type: "String" }) {
        ${field}(${size}: $size, ${from}: $from) @connection(key: "${name}_${field}") { edges { cursor node { ${part} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
      }`,
          ),
        ];
      }),
  );
  expect(() => compileRelay(folder, Object.fromEntries([...refetchable, ...paged]))).not.toThrow();
});

it('rejects a field that is not a connection', () => {
  const source = component(
    'fragment list_no on Query { accounts(first: 5) @connection(key: "list_accounts") { id } }',
  );
  expect(() => compileRelay(`${folder}/no`, { 'list.js': source })).toThrow(/connection/);
});
