import { withGateway } from '../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../fixtures/records.js';
import { ANONYMOUS, createV1Client, expectError, type V1Client } from './v1-client.js';

let records: Records;
let owner: KeyedViewer;
let get: V1Client['get'];
const gateway = withGateway();

beforeAll(async () => {
  ({ records, owner } = gateway);
  ({ get } = createV1Client(gateway));
});

describe('every response', () => {
  it('has version and cache headers', async () => {
    for (const response of [
      await get('/posts'),
      await get('/nothing'),
      await gateway.v1('GET', '/posts', ANONYMOUS),
    ]) {
      expect(response.headers.get('x-api-version')).toBe('v1');
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('vary')).toBe('Authorization, Service-Workspace-Id');
      expect(response.headers.get('x-powered-by')).toBeNull();
    }
  });

  it('to HEAD has the headers of GET and no body', async () => {
    const [head, body] = [await gateway.v1('HEAD', '/posts'), await get('/posts')];
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers.get('content-length')).toBe(body.headers.get('content-length'));
  });
});

describe('routes', () => {
  it.each([
    ['POST', '/posts', 'GET, HEAD, DELETE'],
    ['PATCH', '/posts/7', 'GET, HEAD, PUT'],
    ['DELETE', '/workspaces', 'GET, HEAD'],
    ['OPTIONS', '/media', 'GET, HEAD, POST'],
    ['GET', '/media/from-url', 'POST'],
  ])('%s %s is 405', async (method, path, allow) => {
    const response = await gateway.v1(method, path);
    expectError(response, 405, 'METHOD_NOT_ALLOWED');
    expect(response.headers.get('allow')).toBe(allow);
  });

  it.each(['', '/', '/users', '/posts/7/labels', '/Posts'])('/v1%s is 404', async (path) =>
    expectError(await get(path), 404, 'NOT_FOUND'),
  );

  it.each(['/v2/posts', '/v0', '/v10/posts?x=1'])(
    '%s names the current version (D45)',
    async (path) => {
      const response = await gateway.request(path);
      expectError(response, 404, 'NOT_FOUND');
      expect(response.body.message).toContain('v1');
    },
  );

  it('treat a path with a trailing slash like the path without it', async () => {
    const post = await records.aPost({ by: owner, text: 'before' });
    const update = { body: { post: { text: 'after' } } };
    expect((await gateway.v1('PUT', `/posts/${post.id}/`, update)).body.text).toBe('after');
    expect((await get(`/posts/${post.id}/?analytics=true`)).body.text).toBe('after');
    expect((await get('/posts/?query=after')).body.total).toBe(1);
    expect((await gateway.v1('DELETE', `/posts/?post_ids=${post.id}`)).body).toEqual({
      deleted_ids: [post.id],
    });
    expect((await gateway.v1('GET', '/openapi.json/', ANONYMOUS)).body.openapi).toBe('3.1.0');
    const query = encodeURIComponent('{ viewer { plan } }');
    expect((await gateway.request(`/graphql/?query=${query}`)).body.data).toEqual({
      viewer: { plan: 'BUSINESS' },
    });
    expect((await gateway.request('/healthz/', { caller: ANONYMOUS })).status).toBe(200);
    expectError(await get('/posts//'), 404, 'NOT_FOUND');
    expectError(await get('/unknown/'), 404, 'NOT_FOUND');
  });

  it.each(['/posts/%zz', '/posts/%E9', '/job_status/%FF', '/%E9', '/posts/%C3%A9%ff/'])(
    'rejects a path that is not percent-encoded UTF-8: %s',
    async (path) => expectError(await get(path), 400, 'BAD_USER_INPUT'),
  );

  it('reject a query that is not UTF-8, in both APIs', async () => {
    expectError(await get('/posts?query=caf%E9'), 400, 'BAD_USER_INPUT');
    expect((await get('/posts?query=caf%C3%A9%20100%')).status).toBe(200);
    const query = encodeURIComponent('{ viewer { plan } }');
    const response = await gateway.request(`/graphql?query=${query}&variables=%FF`);
    expect([response.status, response.body.errors[0].extensions.code]).toEqual([
      400,
      'BAD_USER_INPUT',
    ]);
  });

  it('find no post in a search for signs alone', async () => {
    await records.aPost({ by: owner, text: '5 € "now" 20 %' });
    for (const sign of ['€', '%', '"'])
      expect((await get(`/posts?query=${encodeURIComponent(sign)}`)).body.total).toBe(0);
    expect((await get(`/posts?query=${encodeURIComponent('€ now')}`)).body.total).toBe(1);
  });

  it('serves the OpenAPI document without a key', async () => {
    const response = await gateway.v1('GET', '/openapi.json', ANONYMOUS);
    expect(response.status).toBe(200);
    expect(response.body.openapi).toBe('3.1.0');
    expect((await gateway.v1('POST', '/openapi.json', ANONYMOUS)).status).toBe(405);
  });
});

describe('scopes and workspace (D35)', () => {
  const routes: [string, string, string][] = [
    ['GET', '/posts', 'posts:read'],
    ['GET', '/posts/7', 'posts:read'],
    ['PUT', '/posts/7', 'posts:write'],
    ['DELETE', '/posts?post_ids=7', 'posts:write'],
    ['GET', '/job_status/job_1', 'posts:read'],
    ['GET', '/workspaces', 'workspaces'],
    ['GET', '/accounts', 'accounts'],
    ['GET', '/media', 'media'],
  ];

  it.each(routes)('%s %s needs %s', async (method, path, scope) => {
    const all = ['workspaces', 'accounts', 'posts:read', 'posts:write', 'media'] as const;
    const keyWithoutScope = await records.aKey({
      userId: owner.user.id,
      scopes: all.filter((other) => other !== scope),
    });
    const response = await gateway.v1(method, path, { key: keyWithoutScope });
    expectError(response, 403, 'MISSING_SCOPE');
    expect(response.body.message).toContain(scope);
    const keyWithScope = await records.aKey({ userId: owner.user.id, scopes: [scope as 'media'] });
    expect((await gateway.v1(method, path, { key: keyWithScope })).status).not.toBe(403);
  });

  it.each(routes.filter(([, path]) => path !== '/workspaces'))(
    '%s %s needs a workspace',
    async (method, path) => {
      const keyWithoutScopes = await records.aKey({ userId: owner.user.id, scopes: [] });
      expectError(
        await gateway.v1(method, path, { key: keyWithoutScopes, workspace: null }),
        403,
        'MISSING_WORKSPACE',
      );
      expectError(
        await gateway.v1(method, path, { key: keyWithoutScopes, workspace: 'wks_elsewhere' }),
        403,
        'NOT_A_MEMBER',
      );
    },
  );

  it('lists workspaces without a workspace header', async () => {
    expect((await gateway.v1('GET', '/workspaces', { workspace: null })).status).toBe(200);
    expect((await gateway.v1('GET', '/workspaces', { workspace: 'wks_elsewhere' })).status).toBe(
      200,
    );
  });
});
