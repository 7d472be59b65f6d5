import { rowsWith } from '../fixtures/every-row.js';
import { rawConnection } from '../http/raw.js';
import { statementsOf } from '../fixtures/statements.js';
import { suite } from '../setup/suite.js';
import { attackedGateway, type Attacked } from './attacked.js';
import { makeOwn, OWN, PLACES, V1_PLACES } from './own.js';

jest.setTimeout(120_000);

/** Stands in every payload, to be looked for. */
const SEED = 'x9q7z';
const PAYLOADS: readonly (readonly [kind: string, payload: string])[] = [
  ['SQL', `${SEED}'; DROP TABLE post; --`],
  ['SQL', `${SEED}' OR '1'='1`],
  ['SQL', `${SEED}\\'||pg_sleep(9)||'`],
  ['SQL', `${SEED}"; COMMIT; $1 %s`],
  ['HTML', `${SEED}<script>alert(1)</script>`],
  ['HTML', `"><img src=${SEED} onerror=alert(1)>`],
  ['header', `${SEED}\r\nSet-Cookie: a=b`],
  ['HTML', `javascript:${SEED}`],
  ['log', `${SEED}\n{"level":60,"msg":"forged"}\u001b[2J`],
];

let gateway: Attacked;
let tables: string;
/** Rows of somebody who is not attacked: what a payload does to all, it does to theirs. */
let bystander: { id: string; rows: readonly string[] };
const count = { requests: 0 };
beforeAll(async () => {
  gateway = await attackedGateway({ clock: { now: () => new Date('2030-06-12T08:00:00Z') } });
  await makeOwn(gateway, gateway.owner);
  gateway.guard(SEED);
  tables = await catalogue();
  const viewer = await gateway.records.aViewer({ name: 'Bea' });
  const { id } = viewer.workspace;
  await gateway.records.aPost({
    by: viewer,
    labels: [await gateway.records.aLabel({ workspaceId: id, name: 'apple' })],
    media: [await gateway.records.aMedia({ workspaceId: id })],
  });
  bystander = { id, rows: await rowsWith(gateway.db.pool, [id]) };
  expect(bystander.rows.length).toBeGreaterThan(5);
});
afterAll(() => gateway.close());

/** Every column of every table. */
async function catalogue(): Promise<string> {
  const { rows } = await gateway.db.pool.query(
    "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
  );
  return JSON.stringify(rows);
}

interface Sent {
  headers: Headers;
  status: number;
  body: unknown;
}

/** What a payload has come to that it must not: in a statement's text, in a header, as a fault, as anything but JSON. */
async function effects(name: string, ask: () => Promise<Sent>): Promise<string[]> {
  count.requests += 1;
  const {
    result: { headers, status, body },
    statements,
  } = await statementsOf(ask);
  return [
    ...statements
      .filter(({ text }) => text.includes(SEED))
      .map(({ text }) => `${name}: in the statement ${text}`),
    ...[...headers]
      .filter(([header, value]) => value.includes(SEED) || header === 'set-cookie')
      .map(([header]) => `${name}: in the header ${header}`),
    ...(status >= 500 || JSON.stringify(body).includes('INTERNAL_SERVER_ERROR')
      ? [`${name}: a fault`]
      : []),
    ...(/json/.test(headers.get('content-type')!) &&
    headers.get('x-content-type-options') === 'nosniff'
      ? []
      : [`${name}: may be read as a page`]),
  ];
}

/** In `npm test` every second one. */
const chosen = PAYLOADS.filter((_one, index) => suite.form !== 'short' || index % 2 === 0);

describe.each(chosen)('%s: %j', (_kind, payload) => {
  it('is a value and nothing else in every argument of GraphQL', async () => {
    const found: string[] = [];
    for (const place of PLACES.filter(({ type }) =>
      ['String', 'ID', 'JSON', 'DateTime'].includes(type),
    )) {
      found.push(
        ...(await effects(place.name, () =>
          gateway.graphql(place.query, { value: place.value(payload) }),
        )),
      );
    }
    expect(found).toEqual([]);
  });

  it('is a value and nothing else in every parameter and every field of a body of REST v1', async () => {
    const found: string[] = [];
    const canBeSent = /^[\t\x20-\x7e]*$/.test(payload); // a client’s fetch lets no line break into a header
    for (const place of V1_PLACES.filter(({ name }) => canBeSent || !name.includes(': header '))) {
      const { path, headers, body } = place.request(payload);
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      found.push(
        ...(await effects(place.name, () =>
          gateway.ask(path, {
            method: place.method,
            headers: {
              ...headers,
              ...(body !== undefined && { 'Content-Type': 'application/json' }),
            },
            ...sent,
          }),
        )),
      );
    }
    expect(found).toEqual([]);
  });

  it('matches no post that it does not stand in', async () => {
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

it('answers a line break in a header before it is a request', async () => {
  for (const value of ['a\rSet-Cookie: x=1', 'a\nSet-Cookie: x=1\n\nx', 'a\0b']) {
    const connection = await rawConnection(gateway.url);
    connection.write(
      `GET /v1/posts HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${value}\r\nConnection: close\r\n\r\n`,
    );
    const { status, head } = await connection.answer();
    expect([value, status < 500, /set-cookie/i.test(head)]).toEqual([value, true, false]);
    connection.end();
  }
});

it('gives what was stored back as it was, and to pages only what cannot run', async () => {
  const attack = `<img src=x onerror=alert("${SEED}")><script>alert(1)</script>`;
  const { body } = await gateway.graphql(
    'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { text title contentHtml labels { name } } userErrors { message } } }',
    {
      input: {
        id: OWN.post,
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

it('has left every table as it was, and what is another’s', async () => {
  expect(await catalogue()).toBe(tables);
  expect(await rowsWith(gateway.db.pool, [bystander.id])).toEqual(bystander.rows);
  suite.tell(`Injections: ${chosen.length} payloads, ${count.requests} requests.`);
});
