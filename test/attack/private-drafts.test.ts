import type { Post } from '../../src/domain/posts/post.js';
import type { TestResponse } from '../fixtures/gateway.js';
import { GRAPHQL_INPUTS, REST_INPUTS } from './all-inputs.js';
import { stableHeaders } from './response-differences.js';
import { sendRestInput } from './send-rest-input.js';
import { createTwoWorkspaces } from './two-workspaces.js';
import { forAllTests } from '../fixtures/lifecycle.js';

jest.setTimeout(240_000);

/** Long enough that no other number in a response contains it. */
const DRAFT_DATABASE_ID = 1_777_777_777;
const UNKNOWN_DATABASE_ID = '1999999999';
let draft: Post;
let foreignId: string;
const workspaces = forAllTests(() => createTwoWorkspaces());
beforeAll(async () => {
  const { gateway, nonMember, foreign } = workspaces;
  const { records } = gateway;
  const workspaceId = nonMember.workspace.id;
  draft = await records.aPost({
    by: await records.aViewer({ workspaceId, role: 'editor' }),
    account: await records.anAccount({ workspaceId, network: 'facebook', sandbox: true }),
    databaseId: DRAFT_DATABASE_ID,
    storedState: 'draft_private_dated',
    text: 'Zebra',
  });
  foreignId = foreign.ids.find(({ kind }) => kind === 'post')!.foreign;
});
afterAll(() => workspaces.gateway.close());

const withoutId = ({ status, headers, body }: TestResponse<any>, id: string): string => {
  const { rateLimit: _rate, ...extensions } = body?.extensions ?? {};
  const stable = body?.extensions ? { ...body, extensions } : body;
  return JSON.stringify([status, stableHeaders(headers), stable])
    .replaceAll(id, '<id>')
    .replace(/\blbl_\w{16}\b/g, '<label>');
};

/**
 * A document ID of a colleague's private draft is answered like one of another workspace (D13, D18),
 * and its database ID, through which posts could be counted, like an unknown one (D3).
 */
async function findRevealing<Input extends { readonly name: string }>(
  inputs: readonly Input[],
  send: (input: Input, id: string) => Promise<TestResponse<any>>,
): Promise<string[]> {
  const revealing: string[] = [];
  for (const input of inputs)
    for (const [id, like] of [
      [draft.id, foreignId],
      [String(draft.databaseId), UNKNOWN_DATABASE_ID],
    ] as const) {
      const text = withoutId(await send(input, id), id);
      const expected = withoutId(await send(input, like), like);
      if (text !== expected || text.includes('Zebra')) revealing.push(`${input.name}: ${text}`);
    }
  return revealing;
}

test('a colleague’s private draft cannot be told from a post of another workspace in GraphQL', async () => {
  const { gateway, nonMember: as } = workspaces;
  const inputs = GRAPHQL_INPUTS.filter(({ type }) => type === 'ID');
  expect(inputs.length).toBeGreaterThan(20);
  expect(
    await findRevealing(inputs, (input, id) =>
      gateway.graphql(input.query, { value: input.toVariable(id) }, { as }),
    ),
  ).toEqual([]);
});

test('nor in REST v1 and the sandbox', async () => {
  const { gateway, nonMember: as } = workspaces;
  const inputs = REST_INPUTS.filter(({ name }) =>
    /(path|query) (id|post_ids)|: body .*\bid$/.test(name),
  );
  expect(inputs.length).toBeGreaterThan(10);
  expect(
    await findRevealing(inputs, (input, value) => sendRestInput(gateway, { input, value, as })),
  ).toEqual([]);
});
