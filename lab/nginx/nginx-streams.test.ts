import { once } from 'node:events';
import { createServer, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import { BlockList, type AddressInfo } from 'node:net';
import { gatewayWith, type TestGateway } from '../../test/fixtures/gateway.js';
import { startNginx, type Nginx } from './nginx.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { killStartedPrograms } from '../../test/setup/started-program.js';

/**
 * Event streams through a real nginx with the configuration of the containers. nginx closes a
 * connection on which a gateway sends nothing for 30 seconds (`proxy_read_timeout`).
 */
const NGINX_WAITS_MS = 30_000;
jest.setTimeout(NGINX_WAITS_MS + 60_000);

let gateway: TestGateway;
/** A server that starts a stream and then sends nothing. */
let silent: Server;
let nginx: Nginx;
let silentNginx: Nginx;
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  const trustedProxies = new BlockList();
  trustedProxies.addAddress('127.0.0.1');
  gateway = await gatewayWith({ trustedProxies });
  silent = createServer((_request, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'X-Accel-Buffering': 'no',
    });
    response.write(':\n\n');
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const port = Number(new URL(gateway.url).port);
  [nginx, silentNginx] = await Promise.all([
    startNginx([port, port]),
    startNginx([portOf(silent), portOf(silent)]),
  ]);
});

afterAll(async () => {
  await Promise.all([nginx.close(), silentNginx.close()]);
  silent.closeAllConnections();
  silent.close();
  killStartedPrograms();
  await gateway.close();
});

interface ProxiedStream {
  readonly sent: ClientRequest;
  readonly headers: IncomingMessage['headers'];
  /** Everything received until now. */
  text(): string;
  isOpen(): boolean;
}

async function openStream({ url, agent }: Nginx): Promise<ProxiedStream> {
  const { apiKey, workspace } = gateway.owner;
  const sent = request(`${url}/graphql`, {
    method: 'POST',
    agent,
    headers: {
      Authorization: `Bearer-API ${apiKey}`,
      'Service-Workspace-Id': workspace.id,
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
    },
  }).end(JSON.stringify({ query: 'subscription { events { type post { text } } }' }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  let isOpen = true;
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  response.on('error', () => undefined).on('close', () => (isOpen = false));
  sent.on('error', () => undefined);
  return { sent, headers: response.headers, text: () => text, isOpen: () => isOpen };
}

const commentsIn = (text: string): number => text.match(/^:$/gm)?.length ?? 0;

/** Changes a post, directly at the gateway. */
async function change(text: string): Promise<void> {
  const post = await gateway.records.aPost({ by: gateway.owner });
  const { status } = await gateway.v1('PUT', `/posts/${post.id}`, { body: { post: { text } } });
  expect(status).toBe(200);
}

it('nginx passes each event on while the stream stays open, and keeps none in a buffer', async () => {
  const stream = await openStream(nginx);
  await waitFor(() => commentsIn(stream.text()) === 1);
  for (const text of ['one', 'two']) {
    await change(text);
    await waitFor(() => stream.text().includes(`"text":"${text}"`));
  }
  expect(stream.isOpen()).toBe(true);
  expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(stream.headers['cache-control']).toBe('private, no-cache, no-transform');
  stream.sent.destroy();
});

it('nginx keeps a stream without events open because of its comments, and ends a silent one', async () => {
  const [idle, withoutComments] = await Promise.all([openStream(nginx), openStream(silentNginx)]);
  const startedAt = performance.now();
  await once(withoutComments.sent, 'close');
  expect(performance.now() - startedAt).toBeGreaterThan(NGINX_WAITS_MS - 1_000);
  await waitFor(() => commentsIn(idle.text()) >= 3);
  expect(idle.isOpen()).toBe(true);
  await change('after a long time');
  await waitFor(() => idle.text().includes('"text":"after a long time"'));
  idle.sent.destroy();
});
