import { isObjectType, parse, validate } from 'graphql';
import { createDocuments } from '../../src/graphql/document/prepared-document.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { recordStatements } from '../fixtures/statements.js';
import { suite } from '../setup/suite.js';
import { GRAPHQL_INPUTS, SCHEMA } from './all-inputs.js';
import { DOCUMENT_KINDS } from './foreign-ids.js';
import type { GraphqlInput } from './graphql-inputs.js';
import { findDifferences, stableHeaders, type RecordedResponse } from './response-differences.js';
import { createTwoWorkspaces } from './two-workspaces.js';
import { forAllTests } from '../fixtures/lifecycle.js';

jest.setTimeout(300_000);

/**
 * Expected differences between a foreign id and an unknown one: a document id of another workspace
 * is FORBIDDEN for get and update (D18), and not accessible for a deletion and other actions (D30).
 */
const EXPECTED_DIFFERENCES = [
  'Query.post.id',
  'Mutation.updatePost.input.id',
  'Mutation.deletePosts.input.ids',
  'Mutation.schedulePosts.input.ids',
  'Mutation.reviewPosts.input.posts.id',
  'Mutation.retryPosts.input.ids',
  'Mutation.resolvePublication.input.id',
  'Mutation.pausePosts.input.ids',
  'Mutation.resumePosts.input.ids',
  'Mutation.restorePosts.input.ids',
  'Mutation.unpublishPosts.input.ids',
  'Mutation.revertPost.input.id',
  'Mutation.copyPost.input.id',
].flatMap((input) => DOCUMENT_KINDS.map((kind) => `${input}: ${kind}`));
/** A member of both workspaces can read each of them, whichever one the header names. */
const EXPECTED_FOR_MEMBERS = ['Query.node.id: workspace', 'Query.nodes.ids: workspace'];
const workspaces = forAllTests(() => createTwoWorkspaces());
afterAll(() => workspaces.gateway.close());

let requests = 0;

const toInputValue = ({ type }: GraphqlInput, id: string): unknown =>
  (type === 'Int' || type === 'Float') && /^\d+$/.test(id) ? Number(id) : id;

const sendAs =
  (as: KeyedViewer) =>
  async (input: GraphqlInput, id: string): Promise<RecordedResponse> => {
    requests += 1;
    const variables = { value: input.toVariable(toInputValue(input, id)) };
    const {
      result: { status, headers, body },
      statements,
    } = await recordStatements(() => workspaces.gateway.graphql(input.query, variables, { as }));
    const { rateLimit: _rate, ...extensions } = (body.extensions ?? {}) as { rateLimit?: unknown };
    const text = JSON.stringify([status, stableHeaders(headers), { ...body, extensions }]);
    return {
      text,
      statements: statements.length,
      isInternalError: text.includes('INTERNAL_SERVER_ERROR'),
    };
  };

/** Without those of uploads: they take no IDs, and each gets another address. */
const COMPARED_INPUTS = GRAPHQL_INPUTS.filter(
  ({ name }) => !name.startsWith('Mutation.createMediaUpload.'),
);

const PATCH = 'Mutation.updatePost.input.post.';
/** Texts of the caller, which are no IDs, cursors or keys. */
const OWN_TEXT = /\.(clientMutationId|note|altText|name|url|urls)$/;
/** Whether the input expects an id, a cursor or a key. */
const takesIds = ({ name, type }: GraphqlInput): boolean =>
  type === 'ID' || (type === 'String' && !name.startsWith(PATCH) && !OWN_TEXT.test(name));

const differencesFor = (as: KeyedViewer): Promise<string[]> =>
  findDifferences(COMPARED_INPUTS, workspaces.foreign, { send: sendAs(as), takesIds });

it('asks for no more than the limits of operations allow', () => {
  const prepare = createDocuments(SCHEMA);
  expect(GRAPHQL_INPUTS.flatMap(({ query }) => prepare(query).errors ?? [])).toEqual([]);
});

it('finds every argument of every field', () => {
  const objects = Object.values(SCHEMA.getTypeMap())
    .filter(isObjectType)
    // Streams have tests of their own: test/graphql/subscription.
    .filter(({ name }) => !name.startsWith('__') && name !== 'Subscription');
  const withArguments = objects.flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      field.args.map((argument) => `${type.name}.${field.name}.${argument.name}`),
    ),
  );
  expect(
    [...new Set(GRAPHQL_INPUTS.map(({ name }) => name.split('.').slice(0, 3).join('.')))].sort(),
  ).toEqual(withArguments.sort());
  expect(GRAPHQL_INPUTS.flatMap(({ query }) => validate(SCHEMA, parse(query)))).toEqual([]);
});

it('gives a non-member the same response to foreign ids as to unknown ones, except for document ids', async () => {
  expect(await differencesFor(workspaces.nonMember)).toEqual([...EXPECTED_DIFFERENCES].sort());
});

it('gives a member of both workspaces the same responses if the header names the other one, except for the workspace id', async () => {
  expect(await differencesFor(workspaces.memberOfBoth)).toEqual(
    [...EXPECTED_DIFFERENCES, ...EXPECTED_FOR_MEMBERS].sort(),
  );
});

it('changes nothing in the foreign workspace', async () => {
  const { foreign, nonMember } = workspaces;
  expect(await foreign.rowChanges(nonMember.workspace.id)).toEqual({ added: [], removed: [] });
  suite.report(
    `Foreign IDs in GraphQL: ${GRAPHQL_INPUTS.length} inputs × ${foreign.ids.length} kinds, ${requests} requests.`,
  );
});
