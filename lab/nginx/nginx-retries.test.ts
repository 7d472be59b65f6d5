import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import {
  BlockList,
  connect,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Post } from '../../src/domain/posts/post.js';
import { gatewayWith, type TestGateway } from '../../test/fixtures/gateway.js';
import { startNginx, type Nginx } from './nginx.js';
import { killStartedPrograms } from '../../test/setup/started-program.js';

/**
 * Two addresses of one gateway behind nginx, with the configuration of the containers. At each
 * address, the gateway can die after it has executed a request, before nginx gets the response.
 */
interface Address {
  readonly server: Server;
  readonly clients: Set<Socket>;
  /** Responses that reached nginx. */
  delivered: number;
}

let gateway: TestGateway;
let addresses: readonly Address[];
let nginx: Nginx;
/** Requests that the gateway has executed since the last reset. */
let executed = 0;
/** The start of the requests to which both addresses respond with 503. */
let refused = 'none';
/** Whether the next address that gets a response dies instead of delivering it. */
let isNextToDie = false;

async function openAddress(): Promise<Address> {
  const address: Address = { server: createServer(), clients: new Set(), delivered: 0 };
  address.server.on('connection', (client) => {
    const upstream = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    address.clients.add(client);
    client
      .on('error', () => undefined)
      .on('data', (sent: Buffer) => {
        if (sent.toString('latin1').startsWith(refused))
          client.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}');
        else upstream.write(sent);
      });
    upstream.on('close', () => client.destroy());
    upstream.on('data', (response: Buffer) => {
      if (response.toString('latin1', 0, 5) === 'HTTP/') executed += 1;
      if (isNextToDie) {
        isNextToDie = false;
        upstream.destroy();
      } else {
        address.delivered += 1;
        client.write(response);
      }
    });
  });
  await once(address.server.listen(0, '127.0.0.1'), 'listening');
  return address;
}

const portOf = ({ server }: Address): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  const trustedProxies = new BlockList();
  trustedProxies.addAddress('127.0.0.1');
  gateway = await gatewayWith({ trustedProxies });
  addresses = [await openAddress(), await openAddress()];
  nginx = await startNginx([portOf(addresses[0]!), portOf(addresses[1]!)]);
});

afterAll(async () => {
  await nginx.close();
  killStartedPrograms();
  for (const { server, clients } of addresses) {
    server.close();
    for (const client of clients) client.destroy();
  }
  await gateway.close();
});

interface Sent {
  status: number;
  headers: IncomingMessage['headers'];
  body: any;
}

async function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Sent> {
  const { apiKey, workspace } = gateway.owner;
  const sent = request(nginx.url + path, {
    method,
    agent: nginx.agent,
    headers: {
      Authorization: `Bearer-API ${apiKey}`,
      'Service-Workspace-Id': workspace.id,
      'Content-Type': 'application/json',
      ...headers,
    },
  }).end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: JSON.parse(await text(response)),
  };
}

/** Each address has connections to nginx again. */
async function waitUntilBothServe(): Promise<void> {
  for (const address of addresses) address.delivered = 0;
  while (addresses.some(({ delivered }) => delivered === 0)) {
    await send('GET', '/v1/posts').catch(() => undefined);
    await sleep(50);
  }
}

let post: Post;
beforeEach(async () => {
  post = await gateway.records.aPost({ by: gateway.owner, text: 'before' });
  await waitUntilBothServe();
  executed = 0;
  isNextToDie = true;
});

const storedText = async (): Promise<string | undefined> =>
  (await gateway.v1('GET', `/posts/${post.id}`)).body.text;
const UPDATE = { post: { text: 'after' } };

interface Change {
  readonly method: string;
  path(id: string): string;
  body?(id: string): unknown;
}
const PUT: Change = { method: 'PUT', path: (id) => `/v1/posts/${id}`, body: () => UPDATE };
const DELETE: Change = { method: 'DELETE', path: (id) => `/v1/posts?post_ids=${id}` };
const MUTATION: Change = {
  method: 'POST',
  path: () => '/graphql',
  body: (id) => ({
    query:
      'mutation($id: ID!) { updatePost(input: {id: $id, expectedVersion: 1, post: {text: "after"}}) { userErrors { code } } }',
    variables: { id },
  }),
};

const sendChange = (
  { method, path, body }: Change,
  id: string,
  headers: Record<string, string> = {},
): Promise<Sent> => send(method, path(id), { headers, body: body?.(id) });

describe('a gateway that dies after it has executed a request', () => {
  it.each([PUT, DELETE, MUTATION])(
    'nginx sends $method once, and answers that the outcome is unknown',
    async (change) => {
      const headers: Record<string, string> = change === PUT ? { 'If-Match': '"1-x"' } : {};
      const response = await sendChange(change, post.id, headers);
      expect([response.status, response.body.code, executed]).toEqual([503, 'UNAVAILABLE', 1]);
      expect(await storedText()).toBe(change === DELETE ? undefined : 'after');
    },
  );

  it.each([PUT, DELETE])(
    'nginx sends $method with an Idempotency-Key again, which gets the outcome',
    async (change) => {
      const response = await sendChange(change, post.id, { 'Idempotency-Key': change.method });
      expect([response.status, response.headers['idempotency-replayed'], executed]).toEqual([
        200,
        'true',
        2,
      ]);
      expect(response.body).toMatchObject(
        change === PUT ? { text: 'after' } : { deleted_ids: [post.id] },
      );
    },
  );

  it('nginx sends GET again', async () => {
    const response = await send('GET', `/v1/posts/${post.id}`);
    expect([response.status, executed]).toEqual([200, 2]);
  });
});

it('serves all other requests while both gateways respond to one kind with 503', async () => {
  isNextToDie = false;
  refused = 'GET /v1/openapi.json';
  const kinds = ['/v1/openapi.json', '/v1/posts', `/v1/posts/${post.id}`];
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      Promise.all(kinds.map(async (path) => (await send('GET', path)).status)),
    ),
  );
  refused = 'none';
  expect(responses).toEqual(Array(20).fill([503, 200, 200]));
});

it('logs no path of a file and no query, also when a gateway dies', async () => {
  const file = '/media/med_000000000000000000000001/secret';
  await send('GET', file).catch(() => undefined);
  isNextToDie = false;
  await send('GET', file).catch(() => undefined);
  await send('GET', '/v1/posts?query=secret');
  const lines = readFileSync(nginx.accessLog, 'utf8');
  expect(lines).toContain('"GET /media/ HTTP/1.1"');
  expect(lines).toContain('"GET /v1/posts HTTP/1.1"');
  expect(lines + nginx.errors()).not.toContain('secret');
});

it.each([PUT, DELETE])(
  'nginx sends $method to the other gateway if the first one accepts no connection',
  async (change) => {
    isNextToDie = false;
    const [{ server, clients }] = addresses as [Address];
    const port = portOf(addresses[0]!);
    server.close();
    for (const client of clients) client.destroy();
    // more than the other gateway alone would get
    for (let attempt = 0; attempt < 4; attempt++) {
      const { id } = await gateway.records.aPost({ by: gateway.owner, text: 'before' });
      expect((await sendChange(change, id)).status).toBe(200);
    }
    expect(executed).toBe(4);
    await once(server.listen(port, '127.0.0.1'), 'listening');
  },
);
