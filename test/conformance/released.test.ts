import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import {
  buildASTSchema,
  buildSchema,
  parse,
  visit,
  type EnumTypeDefinitionNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  type ObjectTypeDefinitionNode,
} from 'graphql';
import { suite } from '../setup/suite.js';

const ROOT = path.resolve(__dirname, '../..');
const SCHEMA = 'src/graphql/schema.graphql';
const RELEASED = path.join(__dirname, 'released');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/**
 * Versions of the released schemas, newest first. CONTRIBUTING.md describes how a release adds its
 * schema.
 */
const releases = readdirSync(RELEASED)
  .map((file) => file.replace('.graphql', ''))
  .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
const released = (version: string): GraphQLSchema =>
  buildSchema(readFileSync(path.join(RELEASED, `${version}.graphql`), 'utf8'));
const now = buildSchema(textOf(SCHEMA));
const majorOf = (version: string): string => version.split('.')[0]!;
const sameMajor = releases.filter(
  (version) =>
    majorOf(version) ===
    majorOf((JSON.parse(textOf('package.json')) as { version: string }).version),
);

/**
 * The breaking changes for a client of `before`. Within a major version there must be none
 * (Versioning, D45).
 */
async function breaksBetween(before: GraphQLSchema, after: GraphQLSchema): Promise<string[]> {
  return (await diff(before, after))
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ message }) => message);
}

it('has the schema of every release in the changelog', () => {
  expect(
    [...textOf('CHANGELOG.md').matchAll(/^## (\d\S*)/gm)].map(([, version]) => version),
  ).toEqual(releases);
});

it.each(sameMajor)('has no breaking changes for clients of %s', async (version) => {
  const changes = await diff(released(version), now);
  const count = (level: CriticalityLevel): number =>
    changes.filter(({ criticality }) => criticality.level === level).length;
  suite.report(
    `graphql-inspector, since ${version}: ${count(CriticalityLevel.Breaking)} breaking changes, ${count(CriticalityLevel.Dangerous)} dangerous, ${count(CriticalityLevel.NonBreaking)} others.`,
  );
  expect(await breaksBetween(released(version), now)).toEqual([]);
});

type Definition = FieldDefinitionNode | EnumValueDefinitionNode;

/** The current schema with one definition changed, independent of descriptions. */
function schemaWith(path: string, change: (node: Definition) => Definition | null): GraphQLSchema {
  const [typeName, memberName] = path.split('.');
  const changed: string[] = [];
  const changeMember = (node: Definition): Definition | null | undefined => {
    if (node.name.value !== memberName) return undefined;
    changed.push(path);
    return change(node);
  };
  const changeType = <Node extends ObjectTypeDefinitionNode | EnumTypeDefinitionNode>(
    type: Node,
  ): Node | undefined =>
    type.name.value === typeName
      ? visit(type, {
          FieldDefinition: { enter: changeMember },
          EnumValueDefinition: { enter: changeMember },
        })
      : undefined;
  const document = visit(parse(textOf(SCHEMA)), {
    ObjectTypeDefinition: { enter: changeType },
    EnumTypeDefinition: { enter: changeType },
  });
  expect(changed).toEqual([path]);
  return buildASTSchema(document);
}

/** A field with another type, or with arguments, in SDL. */
const parseField = (sdl: string): FieldDefinitionNode =>
  (parse(`type Any { ${sdl} }`).definitions[0] as ObjectTypeDefinitionNode).fields![0]!;

it.each([
  [
    'a removed field',
    'Post.postLink',
    () => null,
    ["Field 'postLink' was removed from object type 'Post'"],
  ],
  [
    'a field that becomes nullable',
    'Post.version',
    () => parseField('version: Int'),
    ["Field 'Post.version' changed type from 'Int!' to 'Int'"],
  ],
  [
    'a required argument',
    'PostConnection.totalCount',
    () => parseField('totalCount(exact: Boolean!): Int!'),
    [expect.stringContaining("'exact: Boolean!'")],
  ],
  [
    'a removed enum value',
    'PostType.PHOTO',
    () => null,
    ["Enum value 'PHOTO' was removed from enum 'PostType'"],
  ],
])('reports %s', async (_what, path, change, breaks) => {
  expect(await breaksBetween(now, schemaWith(path, change))).toEqual(breaks);
});
