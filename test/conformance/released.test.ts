import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { suite } from '../setup/suite.js';

const ROOT = path.resolve(__dirname, '../..');
const RELEASED = path.join(__dirname, 'released');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** The schema of each release, newest first: CONTRIBUTING.md tells how a release leaves its own there. */
const releases = readdirSync(RELEASED)
  .map((file) => file.replace('.graphql', ''))
  .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
const released = (version: string): GraphQLSchema =>
  buildSchema(readFileSync(path.join(RELEASED, `${version}.graphql`), 'utf8'));
const now = buildSchema(textOf('src/graphql/schema.graphql'));
const majorOf = (version: string): string => version.split('.')[0]!;
const sameMajor = releases.filter(
  (version) =>
    majorOf(version) ===
    majorOf((JSON.parse(textOf('package.json')) as { version: string }).version),
);

/** What breaks a client of `before`: nothing may within a major version (Versioning, D45). */
async function breaksBetween(before: GraphQLSchema, after: GraphQLSchema): Promise<string[]> {
  return (await diff(before, after))
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ message }) => message);
}

it('keeps the schema of every release that the changelog has', () => {
  expect(
    [...textOf('CHANGELOG.md').matchAll(/^## (\d\S*)/gm)].map(([, version]) => version),
  ).toEqual(releases);
});

it.each(sameMajor)('breaks nothing that clients of %s rely on', async (version) => {
  const changes = await diff(released(version), now);
  const count = (level: CriticalityLevel): number =>
    changes.filter(({ criticality }) => criticality.level === level).length;
  suite.tell(
    `graphql-inspector, since ${version}: ${count(CriticalityLevel.Breaking)} breaking changes, ${count(CriticalityLevel.Dangerous)} dangerous, ${count(CriticalityLevel.NonBreaking)} others.`,
  );
  expect(await breaksBetween(released(version), now)).toEqual([]);
});

const sdl = textOf('src/graphql/schema.graphql');
it.each([
  [
    'a field is gone',
    '  """Where it is on the network."""\n  postLink: String\n',
    '',
    ["Field 'postLink' was removed from object type 'Post'"],
  ],
  [
    'a field may be null',
    'version: Int!',
    'version: Int',
    ["Field 'Post.version' changed type from 'Int!' to 'Int'"],
  ],
  [
    'an argument is required',
    'totalCount: Int!',
    'totalCount(exact: Boolean!): Int!',
    [expect.stringContaining("'exact: Boolean!'")],
  ],
  [
    'a value is gone',
    '  """One photo. (States and transitions)"""\n  PHOTO\n',
    '',
    ["Enum value 'PHOTO' was removed from enum 'PostType'"],
  ],
])('would say so where %s', async (_what, was, is, breaks) => {
  expect(sdl).toContain(was);
  expect(await breaksBetween(now, buildSchema(sdl.replace(was, is)))).toEqual(breaks);
});
