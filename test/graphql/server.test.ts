import { getIntrospectionQuery } from 'graphql';
import { authenticatedAs, withApi } from './test-api.js';
import { forAllTests } from '../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));

const RESPONSE_JSON = { accept: 'application/graphql-response+json' };

describe('over HTTP', () => {
  it('returns cost and rate limit in extensions', async () => {
    const { status, headers, data, extensions, errors } = await api.execute(
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

  it('accepts queries by GET, but no mutations', async () => {
    const get = (query: string) =>
      api.send(authenticatedAs(owner), {
        method: 'GET',
        search: `?query=${encodeURIComponent(query)}`,
      });
    expect((await get('{ __typename }')).data).toEqual({ __typename: 'Query' });
    const rejected = await get('mutation { deletePosts(input: { ids: ["1"] }) { deletedIds } }');
    expect({
      status: rejected.status,
      allow: rejected.headers.Allow,
      codes: rejected.codes,
    }).toEqual({
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
  ])('%s is 400, or 200 with plain JSON', async (_what, query, code) => {
    const strict = await api.send(authenticatedAs(owner), {
      headers: RESPONSE_JSON,
      body: { query },
    });
    expect({
      status: strict.status,
      codes: strict.codes,
      data: strict.data,
      extensions: strict.extensions,
    }).toEqual({ status: 400, codes: [code], data: undefined, extensions: undefined });
    expect(strict.headers['Content-Type']).toBe('application/graphql-response+json; charset=utf-8');
    expect((await api.execute(owner, query)).status).toBe(200);
    expect(JSON.stringify(strict.errors)).not.toMatch(/Did you mean|stacktrace/);
  });

  it('a persisted query has a code and a message by which clients send the document', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'x' } };
    for (const body of [{ extensions }, { extensions, query: '{ __typename }' }]) {
      const { codes, errors, data } = await api.send(authenticatedAs(owner), { body });
      expect({ codes, message: errors[0].message, data }).toEqual({
        codes: ['PERSISTED_QUERY_NOT_SUPPORTED'],
        message: 'PersistedQueryNotSupported',
        data: undefined,
      });
    }
  });

  it.each([[undefined], [[]], [{}], [{ query: 1 }], [{ query: '{ __typename }', variables: 'x' }]])(
    'a body that is no GraphQL request (%j) is 400 with every media type',
    async (body) => {
      for (const headers of [{}, RESPONSE_JSON]) {
        const { status, codes } = await api.send(authenticatedAs(owner), { headers, body });
        expect({ status, codes }).toEqual({ status: 400, codes: ['BAD_USER_INPUT'] });
      }
    },
  );

  it('changes nothing if the caller does not accept the media type of the response', async () => {
    const post = await api.records.aPost({ by: owner });
    const query = `mutation { deletePosts(input: { ids: ["${post.id}"] }) { deletedIds } }`;
    const { status, codes } = await api.send(authenticatedAs(owner), {
      headers: { accept: 'image/png' },
      body: { query },
    });
    expect({ status, codes }).toEqual({ status: 406, codes: ['BAD_USER_INPUT'] });
    expect((await api.execute(owner, `{ node(id: "${post.id}") { id } }`)).data.node).toEqual({
      id: post.id,
    });
  });

  it('a literal that is no time is an input error, as a variable is', async () => {
    const day = '"2026-12-01"';
    const literal = `{ accounts { analytics(from: ${day}, to: ${day}) { posts } } }`;
    const variable =
      'query ($at: DateTime!) { accounts { analytics(from: $at, to: $at) { posts } } }';
    for (const { codes, errors } of [
      await api.execute(owner, literal),
      await api.execute(owner, variable, { at: '2026-12-01' }),
    ]) {
      expect(new Set(codes)).toEqual(new Set(['BAD_USER_INPUT']));
      expect(errors![0]!.message).toContain('DateTime must be a time with a zone');
    }
  });

  it('lists the allowed values of an enum, also for a variable', async () => {
    const { errors } = await api.execute(
      owner,
      'query($s: [PostStateFilter!]) { posts(filter: { states: $s }) { totalCount } }',
      { s: ['SHEDULED'] },
    );
    expect(errors[0].message).toMatch(
      /at "s\[0\]".*does not exist in "PostStateFilter" enum\. Allowed: ALL, SCHEDULED, SCHEDULED_APPROVED,/,
    );
  });

  it('reports ten of a hundred errors in variables, and that there are more', async () => {
    const { codes } = await api.execute(
      owner,
      'query($s: [PostStateFilter!]) { posts(filter: { states: $s }) { totalCount } }',
      { s: Array(100).fill('NOPE') },
    );
    expect(codes).toEqual(Array(11).fill('BAD_USER_INPUT'));
  });

  it('truncates a rejected value of 1 MB in the message', async () => {
    const { errors } = await api.execute(
      owner,
      'query($n: Int) { posts(first: $n) { totalCount } }',
      {
        n: 'x'.repeat(1_000_000),
      },
    );
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
  ])('handles %s in little time', async (_what, query) => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level++) deep = [deep];
    const start = process.cpuUsage();
    const { codes } = await api.execute(owner, query, { d: deep });
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(400);
    expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
  });

  it('rejects a fragment that spreads itself', async () => {
    const { errors, codes } = await api.execute(
      owner,
      '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }',
    );
    expect({ message: errors[0].message, codes }).toEqual({
      message: 'Fragment "A" spreads itself.',
      codes: ['BAD_USER_INPUT'],
    });
  });

  it('executes the full introspection query', async () => {
    const { errors, data } = await api.execute(
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
