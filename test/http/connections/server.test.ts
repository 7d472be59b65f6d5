import http, { type ServerResponse } from 'node:http';
import { pino } from 'pino';
import { ERROR_PRESENTERS } from '../../../src/composition/telemetry.js';
import { GatewayError } from '../../../src/domain/errors.js';
import { writeJson } from '../../../src/http/responses.js';
import { createApp, type App } from '../../../src/http/app.js';
import { openServer, type HttpServer } from '../../../src/http/server.js';
import { rawConnection } from './raw-connection.js';
import { waitFor } from '../../fixtures/wait-for.js';

const ADDRESS = { host: '127.0.0.1', port: 0 };
const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('starting and draining', () => {
  let app: App;
  let server: HttpServer;
  let lines: string[];
  let pending: ServerResponse[];
  beforeEach(async () => {
    lines = [];
    pending = [];
    app = createApp({
      log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
      errorPresenters: ERROR_PRESENTERS,
    });
    server = await openServer(app, ADDRESS);
  });
  afterEach(() => server.close(0));

  const status = async (path: string): Promise<unknown[]> => {
    const response = await fetch(server.url + path);
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  const readiness = async (): Promise<unknown[]> => {
    const response = await fetch(`${server.url}/readyz`);
    return [response.status, await response.json()];
  };
  /** Mounts a REST API that responds when the test does, and a GraphQL API that fails. */
  const mountApis = (): void =>
    app.mount({
      graphql: async () => {
        throw new TypeError('internal details');
      },
      rest: async (_request, response) => {
        pending.push(response);
      },
      maxBodyBytes: () => 0,
      readiness: async () => ({ isReady: true, checks: { database: 'ok' } }),
      isDatabaseResponsive: async () => true,
    });
  const respondToPending = async (): Promise<void> => {
    await waitFor(() => pending.length > 0);
    writeJson(pending.shift()!, { status: 200, body: {} });
  };

  it('is alive from the start, and ready once the APIs are mounted', async () => {
    expect(await status('/healthz')).toEqual([200, undefined]);
    expect(await readiness()).toEqual([
      503,
      { status: 'unavailable', checks: { process: 'starting' } },
    ]);
    expect(await status('/v1/posts')).toEqual([503, 'UNAVAILABLE']);
    const graphql = await fetch(`${server.url}/graphql`);
    expect([graphql.status, graphql.headers.get('retry-after'), await graphql.json()]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      { errors: [{ message: expect.any(String), extensions: { code: 'UNAVAILABLE' } }] },
    ]);
    expect((await fetch(`${server.url}/v1/posts`)).headers.get('retry-after')).toMatch(/^\d+$/);
    mountApis();
    expect(await readiness()).toEqual([200, { status: 'ok', checks: { database: 'ok' } }]);
  });

  it('finishes active requests, closes idle connections and accepts no new ones', async () => {
    mountApis();
    const [idle, busy] = [await rawConnection(server.url), await rawConnection(server.url)];
    idle.write(GET('/healthz'));
    expect((await idle.response()).head).toMatch(/connection: keep-alive/i);
    const idleClosed = new Promise((resolve) => idle.socket.once('close', resolve));
    busy.write(GET('/slow'));
    await waitFor(() => pending.length > 0);

    app.drain();
    expect(await readiness()).toEqual([
      503,
      { status: 'unavailable', checks: { process: 'draining' } },
    ]);
    expect(await status('/healthz')).toEqual([200, undefined]);
    const closing = server.close(5_000);
    await idleClosed;
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    await respondToPending();
    expect((await busy.response()).status).toBe(200);
    const startedAt = Date.now();
    await closing;
    expect(Date.now() - startedAt).toBeLessThan(4_000);
  });

  it('closes each connection after its response while draining', async () => {
    mountApis();
    app.drain();
    const raw = await rawConnection(server.url);
    raw.write(GET('/healthz'));
    expect((await raw.response()).head).toMatch(/connection: close/i);
  });

  it('closes the connection of a request that was active before draining', async () => {
    mountApis();
    const raw = await rawConnection(server.url);
    raw.write(GET('/slow'));
    await waitFor(() => pending.length > 0);
    app.drain();
    await respondToPending();
    const ended = new Promise((resolve) => raw.socket.once('end', resolve));
    expect((await raw.response()).head).toMatch(/connection: close/i);
    await ended;
  });

  it('resets no connection that waits in the backlog when it closes', async () => {
    mountApis();
    const { port } = new URL(server.url);
    const answers = Array.from(
      { length: 20 },
      () =>
        new Promise<number | undefined>((resolve, reject) => {
          http
            .get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (response) =>
              resolve(response.resume().statusCode),
            )
            .once('error', reject);
        }),
    );
    // the kernel has connected them; without a tick of the event loop none is accepted yet
    for (let tick = 0; tick < 5; tick++) await new Promise(process.nextTick);
    app.drain();
    await server.close(5_000);
    expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  });

  it('waits for an idle moment no longer than its timeout', async () => {
    mountApis();
    let isOver = false;
    const { port } = new URL(server.url);
    const connect = (): void => {
      if (!isOver)
        http
          .get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (response) =>
            response.resume(),
          )
          .once('error', () => undefined)
          .once('close', connect);
    };
    for (let count = 0; count < 10; count++) connect();
    await server.close(300);
    isOver = true;
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  it('closes active connections after the timeout', async () => {
    mountApis();
    const raw = await rawConnection(server.url);
    raw.write(GET('/slow'));
    await waitFor(() => pending.length > 0);
    const startedAt = Date.now();
    await server.close(100);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  it('logs an internal error with the request id, and does not reveal it to the client', async () => {
    mountApis();
    const response = await fetch(`${server.url}/graphql`, {
      headers: { 'X-Request-Id': 'mine', Authorization: 'Bearer-API spk_live_secret' },
    });
    const text = await response.text();
    expect([response.status, JSON.parse(text).errors[0].extensions.code]).toEqual([
      500,
      'INTERNAL_SERVER_ERROR',
    ]);
    expect(text).not.toContain('secret');
    const entries = lines.map((line) => JSON.parse(line) as { requestId: string; msg: string });
    expect(entries).toContainEqual(
      expect.objectContaining({
        level: 50,
        requestId: 'mine',
        err: expect.objectContaining({ message: 'internal details' }),
      }),
    );
    expect(lines.join('')).not.toContain('spk_live_');
  });

  it('does not log a mistake of the client as an internal error', async () => {
    app.mount({
      graphql: async () => undefined,
      rest: async () => {
        throw new GatewayError('BAD_USER_INPUT');
      },
      maxBodyBytes: () => 0,
      readiness: async () => ({ isReady: true, checks: {} }),
      isDatabaseResponsive: async () => true,
    });
    expect(await status('/v1/posts/%25')).toEqual([400, 'BAD_USER_INPUT']);
    expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).not.toContain(50);
  });

  it('logs the path and the status of a request, without the query', async () => {
    await status('/healthz?key=spk_live_secret');
    await waitFor(() => lines.some((line) => line.includes('/healthz')));
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        method: 'GET',
        path: '/healthz',
        status: 200,
        requestId: expect.any(String),
      }),
    );
    expect(lines.join('')).not.toContain('secret');
  });

  it('reports a port in use in one line', async () => {
    const port = Number(new URL(server.url).port);
    await expect(openServer(app, { ...ADDRESS, port })).rejects.toThrow(
      `Cannot listen on port ${port} of 127.0.0.1: the port is in use. Set PORT to another port.`,
    );
  });

  it.each([
    ['203.0.113.1', 'this machine does not have that address'],
    ['no name', 'the host name cannot be resolved'],
  ])('reports in one line that it cannot listen on %s', async (host, reason) => {
    const settings = { port: 'METRICS_PORT', host: 'METRICS_HOST' };
    await expect(openServer(app, { host, port: 0, settings })).rejects.toThrow(
      `Cannot listen on port 0 of ${host}: ${reason}. Set METRICS_HOST to another address.`,
    );
  });
});
