import { openStream } from '../fixtures/event-stream.js';
import { withGateway } from '../fixtures/gateway.js';
import { settled } from '../fixtures/settled.js';

const TOO_LARGE = {
  message:
    'The answer is larger than 10 MB. Use a smaller `first`, or select fewer long fields and aliases. Changes that a mutation made are saved.',
  extensions: { code: 'QUERY_TOO_COMPLEX' },
};
const POSTS = 20;
/** 45 kB each. */
const TEXT = 'ขอบคุณ'.repeat(2_500);

const gateway = withGateway();
beforeAll(async () => {
  for (let post = 0; post < POSTS; post += 1)
    await gateway.records.aPost({ by: gateway.owner, text: TEXT });
});

const aliases = (count: number): string =>
  Array.from({ length: count }, (_, index) => `a${index}: text`).join(' ');

describe.each([
  ['compiled', ''],
  ['executed by graphql-js', 'actions { __typename }'],
])('a query that is %s', (_, field) => {
  const query = (count: number) =>
    `{ posts(first: ${POSTS}) { nodes { ${aliases(count)} ${field} } } }`;

  it('gets an answer of up to 10 MB', async () => {
    const { body } = await gateway.graphql(query(11));
    expect(body.errors).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(body.data))).toBeGreaterThan(9_900_000);
  });

  it.each([12, 29])('is rejected if its answer is larger (%d aliases)', async (count) => {
    const { body } = await gateway.graphql(query(count));
    expect(body).toEqual({ errors: [TOO_LARGE] });
  });
});

test('the answer of several root fields is limited, too', async () => {
  const roots = [1, 2, 3].map((n) => `r${n}: posts(first: ${POSTS}) { nodes { ${aliases(5)} } }`);
  const { body } = await gateway.graphql(`{ ${roots.join(' ')} }`);
  expect(body).toEqual({ errors: [TOO_LARGE] });
});

/** 400 kB: 27 of them are too much. */
const LONGEST = '😀'.repeat(100_000);
const UPDATE = `mutation ($input: UpdatePostInput!) { updatePost(input: $input) { userErrors { message } } }`;
const aDraft = () => gateway.records.aPost({ by: gateway.owner, storedState: 'draft_undated' });

test('a mutation whose answer is too large is made', async () => {
  const { id } = await aDraft();
  const { body } = await gateway.graphql(
    `mutation ($input: UpdatePostInput!) { updatePost(input: $input) { post { ${aliases(27)} } } }`,
    { input: { id, post: { text: LONGEST } } },
  );
  expect(body).toEqual({ errors: [TOO_LARGE] });
  const after = await gateway.graphql(`{ post(id: "${id}") { text } }`);
  expect(after.body.data.post.text).toBe(LONGEST);
});

test.each([
  ['compiled', ''],
  ['executed by graphql-js', 'actions { __typename }'],
])('an event of a %s stream is limited, and the stream goes on', async (_, field) => {
  const { owner } = gateway;
  const { id } = await aDraft();
  await settled(gateway.db.pool); // no event of before is sent
  const stream = await openStream({
    url: gateway.url,
    key: owner.apiKey,
    workspaceId: owner.workspace.id,
    query: `subscription { events { post { ${aliases(27)} ${field} } } }`,
    variables: {},
  });
  const update = (text: string) => gateway.graphql(UPDATE, { input: { id, post: { text } } });
  await update(LONGEST);
  // An event shows the post as it is when it is sent: it has to be sent before the next change.
  expect(await stream.nextResult()).toEqual({ errors: [TOO_LARGE] });
  await update('short');
  expect((await stream.nextResult()).data.events.post.a0).toBe('short');
  stream.close();
});
