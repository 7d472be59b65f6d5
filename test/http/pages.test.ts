import express from 'express';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createPages } from '../../src/http/pages.js';
import { createRequestContext } from '../../src/http/request-context.js';
import { type HttpServer, openServer } from '../../src/http/server.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const HTML = { Accept: 'text/html,application/xhtml+xml' };
const ANONYMOUS = { caller: { key: null, workspace: null } };
const DEMO = {
  apiKey: 'spk_live_demo',
  workspaceId: 'wks_demo',
  otherWorkspaceId: 'wks_other',
  keys: {},
};

describe('the pages', () => {
  const folder = temporaryFolder();
  let server: HttpServer;
  beforeAll(async () => {
    const files = {
      'playground/playground.html': '<p>playground</p>',
      'sandbox-page/sandbox-page.html': '<p>sandbox-page</p>',
      'connect-page/connect-page.html': '<p>connect-page</p>',
      'api-docs/api-docs.html': '<p>api-docs</p>',
      'assets/page-1a_B-.js': 'let a;',
      'assets/font-2.ttf': 'font',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
      writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text));
    }
    const { handlers } = createPages({ folder, hasPlayground: true, readDemo: async () => DEMO });
    const router = express.Router({ caseSensitive: true, strict: true });
    for (const [path, handle] of handlers) router.all(path, handle);
    server = await openServer(
      {
        listener: (request, response) => {
          createRequestContext(response);
          router(request as express.Request, response as express.Response, () =>
            response.writeHead(404).end(),
          );
        },
      },
      { host: '127.0.0.1', port: 0 },
    );
  });
  afterAll(async () => {
    await server.close(0);
    removeFolder(folder);
  });
  const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(server.url + name, { method, headers });

  it.each([
    ['/playground', 'playground'],
    ['/sandbox', 'sandbox-page'],
    ['/connect', 'connect-page'],
    ['/docs', 'api-docs'],
  ])('are served at %s, with a policy that allows their own scripts only', async (name, page) => {
    const answer = await get(name);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      `<p>${page}</p>`,
    ]);
    const policy = Object.fromEntries(
      answer.headers
        .get('content-security-policy')!
        .split('; ')
        .map((part) => [part.split(' ')[0], part]),
    );
    expect(policy).toMatchObject({
      'default-src': "default-src 'none'",
      'script-src': "script-src 'self'",
      'connect-src': "connect-src 'self'",
      'frame-ancestors': "frame-ancestors 'none'",
    });
  });

  it('load immutable files', async () => {
    const answer = await get('/assets/page-1a_B-.js');
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('cache-control'),
      await answer.text(),
    ]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      'let a;',
    ]);
    expect((await get('/assets/font-2.ttf')).headers.get('content-type')).toBe('font/ttf');
  });

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['gzip;q=0', null],
    ['gzip; q=0.0, br', null],
    ['identity', null],
  ])('are compressed for a client that accepts %s: %s', async (accepted, encoding) => {
    for (const name of ['/docs', '/assets/page-1a_B-.js']) {
      const answer = await get(name, { 'Accept-Encoding': accepted });
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
        encoding,
        'Accept, Accept-Encoding',
      ]);
      expect(await answer.text()).toBe(name === '/docs' ? '<p>api-docs</p>' : 'let a;');
    }
  });

  it('respond 304 if unchanged', async () => {
    const tag = (await get('/docs')).headers.get('etag')!;
    const again = await get('/docs', { 'If-None-Match': tag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, '']);
    expect((await get('/docs', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('respond to HEAD with the headers only', async () => {
    const head = await get('/docs', { 'Accept-Encoding': 'identity' }, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String('<p>api-docs</p>'.length),
      '',
    ]);
  });

  it.each([
    '/assets/',
    '/assets/none.js',
    '/assets/..',
    '/assets/%2e%2e%2fplayground%2fplayground.html',
    '/assets/page-1a_B-.js.gz',
    '/assets/.stamp',
    '/assets/a/b.js',
    '/pages/none',
    '/constructor',
  ])('do not serve other files: %s', async (name) => expect((await get(name)).status).toBe(404));

  it('serve the demo’s key to this machine only', async () => {
    const answer = await get('/pages/demo.json');
    expect([answer.headers.get('cache-control'), await answer.json()]).toEqual([
      'no-store',
      { demo: { apiKey: 'spk_live_demo', workspaceId: 'wks_demo' } },
    ]);
    expect(await (await get('/pages/demo.json', { 'X-Forwarded-For': '8.8.8.8' })).json()).toEqual({
      demo: null,
    });
  });
});

describe('pages of a gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayWith();
  });
  afterAll(() => gateway.close());

  it('serves the playground at /graphql to browsers only', async () => {
    const [page, playground] = [
      await gateway.request('/graphql', { ...ANONYMOUS, headers: HTML }),
      await gateway.request('/playground', ANONYMOUS),
    ];
    expect([page.status, page.headers.get('content-type'), page.body]).toEqual([
      200,
      'text/html; charset=utf-8',
      playground.body,
    ]);
    expect(
      (await gateway.request('/graphql?query={__typename}', { ...ANONYMOUS, headers: HTML }))
        .status,
    ).toBe(401);
    expect((await gateway.request('/graphql', ANONYMOUS)).status).toBe(401);
    expect(
      (await gateway.request('/v1/posts', { ...ANONYMOUS, headers: HTML })).headers.get(
        'content-type',
      ),
    ).toMatch(/json/);
  });

  it.each(['/playground', '/sandbox', '/connect', '/docs', '/pages/demo.json'])(
    'does not rate-limit %s (D37), and rejects other methods',
    async (name) => {
      expect((await gateway.request(name)).headers.get('x-ratelimit-limit')).toBeNull();
      const wrong = await gateway.request(name, { method: 'POST' });
      expect([wrong.status, wrong.body.code, wrong.headers.get('allow')]).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
        'GET, HEAD',
      ]);
    },
  );

  it('leads from / to the playground, the sandbox network and the API docs, for browsers only', async () => {
    const page = await gateway.request('/', { ...ANONYMOUS, headers: HTML });
    expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    const linked = [...String(page.body).matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
    expect(linked).toEqual(['/playground', '/sandbox', '/connect', '/docs', '/v1/openapi.json']);
    for (const href of linked) expect((await gateway.request(href, ANONYMOUS)).status).toBe(200);
    expect(page.body).not.toMatch(/<script|<link|@import|https?:\/\//);
    expect((await gateway.request('/', ANONYMOUS)).body.code).toBe('NOT_FOUND');
  });

  it.each(['/playground/', '/sandbox/', '/docs/'])(
    'serves %s like the path without a slash',
    async (name) =>
      expect((await gateway.request(name, ANONYMOUS)).body).toBe(
        (await gateway.request(name.slice(0, -1), ANONYMOUS)).body,
      ),
  );

  it('serves no key without a demo', async () => {
    expect((await gateway.request('/pages/demo.json')).body).toEqual({ demo: null });
  });
});

it('serves instructions at /graphql if the playground is off, and keeps the API docs', async () => {
  const gateway = await gatewayWith({ playground: false });
  const page = await gateway.request('/graphql', { ...ANONYMOUS, headers: HTML });
  expect([page.status, page.headers.get('vary')]).toEqual([200, 'Accept']);
  expect(page.body).toContain('Bearer-API');
  expect(page.body).not.toMatch(/<script|<link|@import|https?:\/\//);
  for (const page of ['/playground', '/sandbox'])
    expect((await gateway.request(page, ANONYMOUS)).status).toBe(404);
  const start = await gateway.request('/', { ...ANONYMOUS, headers: HTML });
  expect(start.body).toContain('href="/graphql"');
  expect(start.body).not.toMatch(/href="\/(playground|sandbox)"/);
  expect((await gateway.request('/docs')).status).toBe(200);
  await gateway.close();
});
