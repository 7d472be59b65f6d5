import { rowsContaining } from '../fixtures/database-rows.js';
import { rawConnection } from '../http/connections/raw-connection.js';
import type { TestResponse } from '../fixtures/gateway.js';
import { recordStatements } from '../fixtures/statements.js';
import { suite } from '../setup/suite.js';
import { GRAPHQL_INPUTS, REST_INPUTS } from './all-inputs.js';
import { openAuditedGateway } from './audited-gateway.js';
import { createOwnPosts, OWN_POST_IDS } from './own-posts.js';
import { sendRestInput } from './send-rest-input.js';
import { forAllTests } from '../fixtures/lifecycle.js';

/** Part of every payload, searched for in statements, headers and output. */
const MARKER = 'x9q7z';
const PAYLOADS: readonly (readonly [kind: string, payload: string])[] = [
  ['SQL', `${MARKER}'; DROP TABLE post; --`],
  ['SQL', `${MARKER}' OR '1'='1`],
  ['SQL', `${MARKER}\\'||pg_sleep(9)||'`],
  ['SQL', `${MARKER}"; COMMIT; $1 %s`],
  ['HTML', `${MARKER}<script>alert(1)</script>`],
  ['HTML', `"><img src=${MARKER} onerror=alert(1)>`],
  ['header', `${MARKER}\r\nSet-Cookie: a=b`],
  ['HTML', `javascript:${MARKER}`],
  ['log', `${MARKER}\n{"level":60,"msg":"forged"}\u001b[2J`],
];
let columnsBefore: string;
/** A workspace that no request names: a payload that affects all rows also affects these. */
let unaffected: { workspaceId: string; rows: readonly string[] };
let requests = 0;
const gateway = forAllTests(
  () => openAuditedGateway({ clock: { now: () => new Date('2030-06-12T08:00:00Z') } }),
  'close',
);
beforeAll(async () => {
  await createOwnPosts(gateway, gateway.owner);
  gateway.addSecrets(MARKER);
  columnsBefore = await readColumns();
  const viewer = await gateway.records.aViewer({ name: 'Bea' });
  const { id } = viewer.workspace;
  await gateway.records.aPost({
    by: viewer,
    labels: [await gateway.records.aLabel({ workspaceId: id, name: 'apple' })],
    media: [await gateway.records.aMedia({ workspaceId: id })],
  });
  unaffected = { workspaceId: id, rows: await rowsContaining(gateway.db.pool, [id]) };
  expect(unaffected.rows.length).toBeGreaterThan(5);
});

/** All columns of all tables. */
async function readColumns(): Promise<string> {
  const { rows } = await gateway.db.pool.query(
    "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
  );
  return JSON.stringify(rows);
}

/**
 * Forbidden effects of a payload: part of the text of a statement or of a header, an internal
 * error, a response that is not JSON.
 */
async function forbiddenEffects(
  name: string,
  send: () => Promise<TestResponse<unknown>>,
): Promise<string[]> {
  requests += 1;
  const {
    result: { headers, status, body },
    statements,
  } = await recordStatements(send);
  return [
    ...statements
      .filter(({ text }) => text.includes(MARKER))
      .map(({ text }) => `${name}: in the statement ${text}`),
    ...[...headers]
      .filter(([header, value]) => value.includes(MARKER) || header === 'set-cookie')
      .map(([header]) => `${name}: in the header ${header}`),
    ...(status >= 500 || JSON.stringify(body).includes('INTERNAL_SERVER_ERROR')
      ? [`${name}: internal error`]
      : []),
    ...(/json/.test(headers.get('content-type')!) &&
    headers.get('x-content-type-options') === 'nosniff'
      ? []
      : [`${name}: can be interpreted as a page`]),
  ];
}

/** In `npm run test:system` only every second payload. */
const payloads = PAYLOADS.filter((_payload, index) => suite.length !== 'short' || index % 2 === 0);

describe.each(payloads)('%s: %j', (_kind, payload) => {
  it('is only a value in every argument of GraphQL', async () => {
    const effects: string[] = [];
    for (const input of GRAPHQL_INPUTS.filter(({ type }) =>
      ['String', 'ID', 'JSON', 'DateTime'].includes(type),
    )) {
      effects.push(
        ...(await forbiddenEffects(input.name, () =>
          gateway.graphql(input.query, { value: input.toVariable(payload) }),
        )),
      );
    }
    expect(effects).toEqual([]);
  });

  it('is only a value in every parameter and body field of REST v1', async () => {
    const effects: string[] = [];
    const isValidHeader = /^[\t\x20-\x7e]*$/.test(payload); // fetch sends no line breaks in headers
    for (const input of REST_INPUTS.filter(
      ({ name }) => isValidHeader || !name.includes(': header '),
    )) {
      effects.push(
        ...(await forbiddenEffects(input.name, () =>
          sendRestInput(gateway, { input, value: payload }),
        )),
      );
    }
    expect(effects).toEqual([]);
  });

  it('matches only posts that contain it', async () => {
    const query = 'query($value: PostFilter) { posts(filter: $value) { totalCount } }';
    for (const filter of [
      { query: payload },
      { memberId: payload },
      { accountIds: [payload] },
      { labelIds: [payload] },
    ]) {
      const { body } = await gateway.graphql(query, { value: filter });
      expect([filter, body.data?.posts.totalCount]).toEqual([filter, 0]);
    }
  });
});

it('rejects line breaks in a header, or ignores them', async () => {
  for (const value of ['a\rSet-Cookie: x=1', 'a\nSet-Cookie: x=1\n\nx', 'a\0b']) {
    const connection = await rawConnection(gateway.url);
    connection.write(
      `GET /v1/posts HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${value}\r\nConnection: close\r\n\r\n`,
    );
    const { status, head } = await connection.response();
    expect([value, status < 500, /set-cookie/i.test(head)]).toEqual([value, true, false]);
    connection.end();
  }
});

it('returns stored text unchanged, and contentHtml without scripts', async () => {
  const attack = `<img src=x onerror=alert("${MARKER}")><script>alert(1)</script>`;
  const { body } = await gateway.graphql(
    'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { text title contentHtml labels { name } } userErrors { message } } }',
    {
      input: {
        id: OWN_POST_IDS.post,
        post: {
          text: attack,
          title: attack,
          labels: [{ name: attack.slice(0, 40) }],
          content: [
            { type: 'html', data: { html: attack } },
            { type: 'paragraph', data: { text: attack } },
          ],
        },
      },
    },
  );
  const { post, userErrors } = body.data.updatePost;
  expect(userErrors).toEqual([]);
  expect(post).toMatchObject({
    text: attack,
    title: attack,
    labels: [{ name: attack.slice(0, 40) }],
  });
  expect(post.contentHtml).not.toMatch(/<script|onerror|alert/i);
});

it('changes no table definition and no row of an unaffected workspace', async () => {
  expect(await readColumns()).toBe(columnsBefore);
  const { workspaceId, rows } = unaffected;
  expect(await rowsContaining(gateway.db.pool, [workspaceId])).toEqual(rows);
  suite.report(`Injections: ${payloads.length} payloads, ${requests} requests.`);
});
