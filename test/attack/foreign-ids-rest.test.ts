import type { KeyedViewer } from '../fixtures/records.js';
import { recordStatements } from '../fixtures/statements.js';
import { suite } from '../setup/suite.js';
import { REST_INPUTS } from './all-inputs.js';
import { DOCUMENT_KINDS } from './foreign-ids.js';
import { findDifferences, stableHeaders, type RecordedResponse } from './response-differences.js';
import type { RestInput } from './rest-inputs.js';
import { sendRestInput } from './send-rest-input.js';
import { createTwoWorkspaces } from './two-workspaces.js';
import { forAllTests } from '../fixtures/lifecycle.js';

jest.setTimeout(240_000);

/**
 * Expected differences between a foreign id and an unknown one: a document id of another workspace
 * is 403 (D18, D30).
 */
const EXPECTED_DIFFERENCES = [
  'GET /v1/posts/{id}: path id',
  'PUT /v1/posts/{id}: path id',
  'DELETE /v1/posts: query post_ids[]',
  'GET /v1/posts/{id}/history: path id',
  'GET /sandbox/{id}: path id',
  'DELETE /sandbox/{id}: path id',
  'GET /sandbox/{id}/faults: path id',
  'PUT /sandbox/{id}/faults: path id',
  'DELETE /sandbox/{id}/faults: path id',
  'POST /v1/posts/{id}/resolve: path id',
  'POST /v1/posts/{id}/revert: path id',
  'POST /v1/posts/{id}/copy: path id',
  'POST /v1/posts/actions/schedule: body post_ids',
  'POST /v1/posts/actions/review: body posts.id',
  'POST /v1/posts/actions/retry: body post_ids',
  'POST /v1/posts/actions/pause: body post_ids',
  'POST /v1/posts/actions/resume: body post_ids',
  'POST /v1/posts/actions/unpublish: body post_ids',
  'POST /v1/posts/actions/restore: body post_ids',
].flatMap((input) => DOCUMENT_KINDS.map((kind) => `${input}: ${kind}`));
const workspaces = forAllTests(() => createTwoWorkspaces());
afterAll(() => workspaces.gateway.close());

let requests = 0;

const sendAs =
  (as: KeyedViewer) =>
  async (input: RestInput, id: string): Promise<RecordedResponse> => {
    requests += 1;
    const {
      result: { status, headers, body },
      statements,
    } = await recordStatements(() => sendRestInput(workspaces.gateway, { input, value: id, as }));
    const text = JSON.stringify([status, stableHeaders(headers), body]);
    return { text, statements: statements.length, isInternalError: status >= 500 };
  };

/** Whether the input is a parameter, or expects an id in a body. */
const takesIds = ({ name }: RestInput): boolean =>
  !name.includes(': body ') || /(\bid|\bpost_ids)$/.test(name);

const differencesFor = (as: KeyedViewer, inputs: readonly RestInput[]): Promise<string[]> =>
  findDifferences(
    // messages name a server in lower case, so that some values look like others
    inputs.filter(({ name }) => name !== 'POST /v1/connections: body server'),
    workspaces.foreign,
    { send: sendAs(as), takesIds },
  );

it('finds the fields of bodies, including nested ones', () => {
  const fields = REST_INPUTS.flatMap(({ name }) => name.split(': body ')[1] ?? []);
  expect(fields).toEqual(
    expect.arrayContaining([
      'post.text',
      'post.media.id',
      'post.media.user_tags.id',
      'post.location.id',
      'post.details.sponsor.id',
      'advance_seconds',
      'fail.code',
      'bulk.posts.accounts.id',
      'bulk.posts.networks.default.media.id',
    ]),
  );
  expect(
    REST_INPUTS.find(({ name }) => name.endsWith(': body post.labels.color'))!.request('x').body,
  ).toEqual({ post: { labels: [{ name: 'own', color: 'x' }] } });
});

it('gives a non-member the same response to foreign ids as to unknown ones, except for document ids', async () => {
  expect(await differencesFor(workspaces.nonMember, REST_INPUTS)).toEqual(
    [...EXPECTED_DIFFERENCES].sort(),
  );
});

it('gives a member of both workspaces the same responses if the header names the other one', async () => {
  const inputs = REST_INPUTS.filter(({ name }) => !name.endsWith('header Service-Workspace-Id'));
  expect(await differencesFor(workspaces.memberOfBoth, inputs)).toEqual(
    [...EXPECTED_DIFFERENCES].sort(),
  );
});

it('changes nothing in the foreign workspace', async () => {
  const { foreign, nonMember } = workspaces;
  expect(await foreign.rowChanges(nonMember.workspace.id)).toEqual({ added: [], removed: [] });
  suite.report(
    `Foreign IDs in REST v1: ${REST_INPUTS.length} inputs × ${foreign.ids.length} kinds, ${requests} requests.`,
  );
});
