import http, { type ServerResponse } from 'node:http';
import { pino } from 'pino';
import { writeJson } from '../../src/http/responses.js';
import { createApp, type App } from '../../src/http/app.js';
import { openServer, type OpenServer } from '../../src/http/connections/server.js';
import { rawConnection } from './raw.js';

const WANTED = { host: '127.0.0.1', port: 0 };
const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('a gateway that starts and goes', () => {
  let app: App;
  let server: OpenServer;
  let lines: string[];
  let waiting: ServerResponse[];
  beforeEach(async () => {
    lines = [];
    waiting = [];
    app = createApp({ log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }) });
    server = await openServer(app, WANTED);
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
  /** A door that answers when the test says so, and one that fails. */
  const open = (): void =>
    app.open({
      graphql: async () => {
        throw new TypeError('a secret of ours');
      },
      rest: async (_request, response) => {
        waiting.push(response);
      },
      vitals: async () => ({ isReady: true, parts: { database: 'ok' } }),
      isAnswering: async () => true,
    });
  const answerWaiting = async (): Promise<void> => {
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    writeJson(waiting.shift()!, { status: 200, body: {} });
  };

  it('lives from the first moment, and is ready when its doors are open', async () => {
    expect(await status('/healthz')).toEqual([200, undefined]);
    expect(await readiness()).toEqual([
      503,
      { status: 'unavailable', parts: { process: 'starting' } },
    ]);
    expect(await status('/v1/posts')).toEqual([503, 'UNAVAILABLE']);
    const graphql = await fetch(`${server.url}/graphql`);
    expect([graphql.status, graphql.headers.get('retry-after'), await graphql.json()]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      { errors: [{ message: expect.any(String), extensions: { code: 'UNAVAILABLE' } }] },
    ]);
    expect((await fetch(`${server.url}/v1/posts`)).headers.get('retry-after')).toMatch(/^\d+$/);
    open();
    expect(await readiness()).toEqual([200, { status: 'ok', parts: { database: 'ok' } }]);
  });

  it('lets a running request end, cuts idle connections and takes no new ones', async () => {
    open();
    const [idle, busy] = [await rawConnection(server.url), await rawConnection(server.url)];
    idle.write(GET('/healthz'));
    expect((await idle.answer()).head).toMatch(/connection: keep-alive/i);
    const idleClosed = new Promise((resolve) => idle.socket.once('close', resolve));
    busy.write(GET('/slow'));
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));

    app.drain();
    expect(await readiness()).toEqual([
      503,
      { status: 'unavailable', parts: { process: 'draining' } },
    ]);
    expect(await status('/healthz')).toEqual([200, undefined]);
    const closing = server.close(5_000);
    await idleClosed;
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    await answerWaiting();
    expect((await busy.answer()).status).toBe(200);
    const startedAt = Date.now();
    await closing;
    expect(Date.now() - startedAt).toBeLessThan(1_000);
  });

  it('ends each connection with the answer while it drains', async () => {
    open();
    app.drain();
    const raw = await rawConnection(server.url);
    raw.write(GET('/healthz'));
    expect((await raw.answer()).head).toMatch(/connection: close/i);
  });

  it('ends a connection, too, with an answer that was begun before', async () => {
    open();
    const raw = await rawConnection(server.url);
    raw.write(GET('/slow'));
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    app.drain();
    await answerWaiting();
    const ended = new Promise((resolve) => raw.socket.once('end', resolve));
    expect((await raw.answer()).head).toMatch(/connection: close/i);
    await ended;
  });

  it('resets nobody who stands before the door when it closes', async () => {
    open();
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
    for (let tick = 0; tick < 5; tick++) await new Promise(process.nextTick); // the kernel has connected them; this loop has not turned, so nobody has accepted them
    app.drain();
    await server.close(5_000);
    expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  });

  it('waits for quiet no longer than it is told to', async () => {
    open();
    let isOver = false;
    const { port } = new URL(server.url);
    const knock = (): void => {
      if (!isOver)
        http
          .get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (response) =>
            response.resume(),
          )
          .once('error', () => undefined)
          .once('close', knock);
    };
    for (let count = 0; count < 10; count++) knock();
    await server.close(300);
    isOver = true;
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  it('cuts what does not end in time', async () => {
    open();
    const raw = await rawConnection(server.url);
    raw.write(GET('/slow'));
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const startedAt = Date.now();
    await server.close(100);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });

  it('tells a fault to the log, with the request’s id, and not to the client', async () => {
    open();
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
        err: expect.objectContaining({ message: 'a secret of ours' }),
      }),
    );
    expect(lines.join('')).not.toContain('spk_live_');
  });

  it('tells the log of no fault where a caller’s path is malformed', async () => {
    app.open({
      graphql: async () => undefined,
      rest: async () => {
        throw Object.assign(new URIError('bad'), { status: 400 });
      },
      vitals: async () => ({ isReady: true, parts: {} }),
      isAnswering: async () => true,
    });
    expect(await status('/v1/posts/%25')).toEqual([400, 'BAD_USER_INPUT']);
    expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).not.toContain(50);
  });

  it('logs what it answered: path and status, without the query', async () => {
    await status('/healthz?key=spk_live_secret');
    await new Promise((resolve) => setTimeout(resolve, 20));
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

  it('says in one line that a port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await expect(openServer(app, { ...WANTED, port })).rejects.toThrow(
      `Cannot listen on port ${port} of 127.0.0.1: it is in use; set PORT to another one`,
    );
  });

  it.each([
    ['203.0.113.1', 'this machine does not have that address'],
    ['no name', 'that name has no address'],
  ])('says in one line that %s is no address to listen on', async (host, reason) => {
    const settings = { port: 'METRICS_PORT', host: 'METRICS_HOST' };
    await expect(openServer(app, { host, port: 0, settings })).rejects.toThrow(
      `Cannot listen on port 0 of ${host}: ${reason}; set METRICS_HOST to another one`,
    );
  });
});
