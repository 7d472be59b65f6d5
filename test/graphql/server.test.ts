import { getIntrospectionQuery } from 'graphql';
import type { KeyedViewer } from '../fixtures/records.js';
import { admitted, openDoor } from './asking.js';

let door: Awaited<ReturnType<typeof openDoor>>;
let owner: KeyedViewer;
beforeAll(async () => {
  door = await openDoor();
  owner = await door.records.aViewer({ role: 'owner' });
});
afterAll(() => door.database.drop());

const RESPONSE_JSON = { accept: 'application/graphql-response+json' };

describe('over HTTP', () => {
  it('answers with cost and rate window', async () => {
    const { status, headers, data, extensions, errors } = await door.ask(
      owner,
      '{ viewer { role user { id } } }',
    );
    expect({ status, data, errors }).toEqual({
      status: 200,
      data: { viewer: { role: 'OWNER', user: { id: owner.user.id } } },
      errors: undefined,
    });
    expect(headers['Content-Type']).toBe('application/json; charset=utf-8');
    expect(extensions).toEqual({
      cost: { requested: 4, maximum: 5000 },
      rateLimit: { limit: 100, remaining: 93, resetAt: '2026-11-21T12:00:00.000Z' },
    });
  });

  it('takes queries by GET, and mutations not', async () => {
    const get = (query: string) =>
      door.send(admitted(owner), { method: 'GET', search: `?query=${encodeURIComponent(query)}` });
    expect((await get('{ __typename }')).data).toEqual({ __typename: 'Query' });
    const refused = await get('mutation { deletePosts(input: { ids: ["1"] }) { deletedIds } }');
    expect({ status: refused.status, allow: refused.headers.Allow, codes: refused.codes }).toEqual({
      status: 405,
      allow: 'POST',
      codes: ['METHOD_NOT_ALLOWED'],
    });
  });

  it.each([
    ['a syntax error', '{ viewer', 'BAD_USER_INPUT'],
    ['an unknown field', '{ viever { role } }', 'BAD_USER_INPUT'],
    [
      'an unknown enum value',
      '{ posts(filter: { states: [SHEDULED] }) { totalCount } }',
      'BAD_USER_INPUT',
    ],
    ['a missing operation name', 'query A { __typename } query B { __typename }', 'BAD_USER_INPUT'],
    ['a subscription', 'subscription { posts { id } }', 'BAD_USER_INPUT'],
    ['too many levels', `${'{ a '.repeat(13)}${'}'.repeat(13)}`, 'QUERY_TOO_DEEP'],
    [
      'too much cost',
      '{ posts(first: 100) { nodes { occurrences(first: 100) { nodes { id } } } } }',
      'QUERY_TOO_COMPLEX',
    ],
  ])('%s is 400, and 200 as plain JSON', async (_what, query, code) => {
    const strict = await door.send(admitted(owner), { headers: RESPONSE_JSON, body: { query } });
    expect({
      status: strict.status,
      codes: strict.codes,
      data: strict.data,
      extensions: strict.extensions,
    }).toEqual({ status: 400, codes: [code], data: undefined, extensions: undefined });
    expect(strict.headers['Content-Type']).toBe('application/graphql-response+json; charset=utf-8');
    expect((await door.ask(owner, query)).status).toBe(200);
    expect(JSON.stringify(strict.errors)).not.toMatch(/Did you mean|stacktrace/);
  });

  it.each([[undefined], [[]], [{}], [{ query: 1 }], [{ query: '{ __typename }', variables: 'x' }]])(
    'no GraphQL request (%j) is 400 either way',
    async (body) => {
      for (const headers of [{}, RESPONSE_JSON]) {
        const { status, codes } = await door.send(admitted(owner), { headers, body });
        expect({ status, codes }).toEqual({ status: 400, codes: ['BAD_USER_INPUT'] });
      }
    },
  );

  it('changes nothing for an answer that the caller does not accept', async () => {
    const post = await door.records.aPost({ by: owner });
    const query = `mutation { deletePosts(input: { ids: ["${post.id}"] }) { deletedIds } }`;
    const { status, codes } = await door.send(admitted(owner), {
      headers: { accept: 'image/png' },
      body: { query },
    });
    expect({ status, codes }).toEqual({ status: 406, codes: ['BAD_USER_INPUT'] });
    expect((await door.ask(owner, `{ node(id: "${post.id}") { id } }`)).data.node).toEqual({
      id: post.id,
    });
  });

  it('says which enum values are allowed, of a variable too', async () => {
    const { errors } = await door.ask(
      owner,
      'query($s: [PostStateFilter!]) { posts(filter: { states: $s }) { totalCount } }',
      { s: ['SHEDULED'] },
    );
    expect(errors[0].message).toMatch(
      /at "s\[0\]".*does not exist in "PostStateFilter" enum\. Allowed: ALL, SCHEDULED, SCHEDULED_APPROVED,/,
    );
  });

  it('calls a hundred mistakes in variables what they are, tells ten and that there are more', async () => {
    const { codes } = await door.ask(
      owner,
      'query($s: [PostStateFilter!]) { posts(filter: { states: $s }) { totalCount } }',
      { s: Array(100).fill('NOPE') },
    );
    expect(codes).toEqual(Array(11).fill('BAD_USER_INPUT'));
  });

  it('does not send a refused megabyte back', async () => {
    const { errors } = await door.ask(owner, 'query($n: Int) { posts(first: $n) { totalCount } }', {
      n: 'x'.repeat(1_000_000),
    });
    expect(errors[0].message.length).toBeLessThan(1_100);
  });

  it.each([
    ['one field over and over', `{ posts { nodes { ${'text '.repeat(290)} } } }`],
    [
      'unknown fields',
      `{ posts { nodes { ${Array.from({ length: 290 }, (_, index) => `txet${index}`).join(' ')} } } }`,
    ],
    [
      'fragments that spread each other',
      Array.from(
        { length: 150 },
        (_, index) =>
          `fragment F${index} on Post { ...F${(index + 1) % 150} ...F${(index * 7) % 150} }`,
      ).join(' ') + '{ posts { nodes { ...F0 } } }',
    ],
    [
      'a long chain of fragments',
      Array.from(
        { length: 140 },
        (_, index) =>
          `fragment F${index} on Post { id ...F${index + 1} ...F${Math.min(index + 2, 140)} }`,
      ).join(' ') + 'fragment F140 on Post { id } { posts { nodes { ...F140 } } }',
    ],
    [
      'a deep list in a variable',
      'mutation($d: JSON!) { updatePost(input: { id: "1", post: { content: [{ type: "list", data: $d }], recurring: { daysOfWeek: [$d] } } }) { userErrors { code } } }',
    ],
    [
      'introspection upon introspection',
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    ],
  ])('survives %s in little time', async (_what, query) => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level++) deep = [deep];
    const start = process.cpuUsage();
    const { codes } = await door.ask(owner, query, { d: deep });
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(400);
    expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
  });

  it('refuses a fragment inside itself', async () => {
    const { errors, codes } = await door.ask(
      owner,
      '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }',
    );
    expect({ message: errors[0].message, codes }).toEqual({
      message: 'Fragment "A" spreads itself.',
      codes: ['BAD_USER_INPUT'],
    });
  });

  it('passes the full introspection query', async () => {
    const { errors, data } = await door.ask(
      owner,
      getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        inputValueDeprecation: true,
      }),
    );
    expect(errors).toBeUndefined();
    expect(data.__schema.types.length).toBeGreaterThan(60);
  });
});

describe('workspace and scope', () => {
  const refusals = async (workspace: { kind: 'missing' } | { kind: 'stranger' }, query: string) =>
    (await door.send(admitted(owner, workspace), { body: { query } })).codes;

  it('asks for the workspace before the scope', async () => {
    const media = await door.records.aViewer({ role: 'owner', scopes: ['media'] });
    expect(
      (
        await door.send(admitted(media, { kind: 'missing' }), {
          body: { query: '{ posts { totalCount } }' },
        })
      ).codes,
    ).toEqual(['MISSING_WORKSPACE']);
    expect(
      (
        await door.send(admitted(media, { kind: 'stranger' }), {
          body: { query: '{ posts { totalCount } }' },
        })
      ).codes,
    ).toEqual(['NOT_A_MEMBER']);
    expect((await door.ask(media, '{ posts { totalCount } }')).codes).toEqual(['MISSING_SCOPE']);
  });

  it.each([
    '{ workspaces { id } }',
    '{ viewer { workspace { id } role } }',
    '{ rateLimit { limit } }',
    '{ networks { network } }',
    '{ __schema { queryType { name } } }',
  ])('needs no workspace for %s', async (query) => {
    expect(await refusals({ kind: 'missing' }, query)).toEqual([]);
    expect(await refusals({ kind: 'stranger' }, query)).toEqual([]);
  });

  it('holds a post key to posts: dailyCaps need ACCOUNTS even under a post', async () => {
    const reader = await door.records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'viewer',
      scopes: ['posts:read'],
    });
    const account = await door.records.anAccount({ workspaceId: owner.workspace.id });
    const { id } = await door.records.aPost({ by: owner, account });
    const shown = await door.ask(reader, `{ post(id: "${id}") { account { id socialId } } }`);
    expect(shown.data.post.account).toEqual({ id: account.id, socialId: null });
    expect(
      (await door.ask(reader, `{ post(id: "${id}") { account { dailyCaps { used } } } }`)).codes,
    ).toEqual(['MISSING_SCOPE']);
    const node = await door.ask(
      reader,
      `{ account: node(id: "${account.id}") { id } post: node(id: "${id}") { id } }`,
    );
    expect({ codes: node.codes, data: node.data }).toEqual({
      codes: ['MISSING_SCOPE'],
      data: { account: null, post: { id } },
    });
    expect(
      (await door.ask(reader, `mutation { deletePosts(input: { ids: ["${id}"] }) { deletedIds } }`))
        .codes,
    ).toEqual(['MISSING_SCOPE']);
  });
});
