import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { createWebhookSender } from '../../src/networks/webhook-sender.js';
import { systemClock } from '../../src/services/clock.js';
import type { JobHandlers } from '../../src/services/jobs/job-handler.js';
import { createProcessTracing, type Tracing } from '../../src/tracing/process-tracing.js';
import { freePort } from '../setup/free-port.js';
import { anOtlpReceiver, type OtlpReceiver } from './otlp-receiver.js';

const TOKEN = 'bot123:AAF-secret';
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

let network: Server;
let url: string;
let status = 200;
const requests: IncomingHttpHeaders[] = [];
let receiver: OtlpReceiver;
let tracing: Tracing;

beforeAll(async () => {
  network = createServer((request, response) => {
    requests.push(request.headers);
    response.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  await once(network, 'listening');
  url = `http://127.0.0.1:${(network.address() as AddressInfo).port}/${TOKEN}`;
});
beforeEach(async () => {
  status = 200;
  requests.length = 0;
  receiver = await anOtlpReceiver();
  tracing = createProcessTracing({
    endpoint: receiver.url,
    headers: {},
    serviceName: 'test',
    share: 1,
    onExportError: (error) => {
      throw error ?? new Error('export failed');
    },
  });
});
afterEach(() => receiver.close());
afterAll(() => {
  network.closeAllConnections();
  network.close();
});

const request = (to = url) =>
  tracing.httpClient(createHttpClient({ allowLoopback: true, clock: systemClock })).send({
    method: 'POST',
    networkName: 'Telegram',
    url: new URL(to),
    headers: new Headers({ authorization: TOKEN }),
    body: new Uint8Array(),
    signal: AbortSignal.timeout(5_000),
  });

const deliver = () =>
  tracing
    .webhookSender(
      createWebhookSender({
        allowLoopback: true,
        clock: systemClock,
        traceparent: () => tracing.traceparent(),
      }),
    )
    .send({ id: 'msg_1', url, body: '{}', secrets: [SECRET] });

/** Sends what is left, and returns the only span. */
async function onlySpan() {
  await tracing.close();
  expect(receiver.spans).toHaveLength(1);
  expect(receiver.bodies.join()).not.toContain('secret');
  return receiver.spans[0]!;
}

it('a request to a network carries its span, which contains neither the URL nor headers', async () => {
  await request();
  const span = await onlySpan();
  expect(span).toMatchObject({
    name: 'POST Telegram',
    kind: 3,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'posts_gateway.network': 'Telegram',
    },
    hasError: false,
  });
  expect(Object.keys(span.attributes)).toHaveLength(3);
  expect(requests.map(({ traceparent, authorization }) => [traceparent, authorization])).toEqual([
    [`00-${span.traceId}-${span.spanId}-01`, TOKEN],
  ]);
});

it('a request that a network rejects is an error with its status', async () => {
  status = 503;
  await request();
  const { attributes, hasError } = await onlySpan();
  expect([attributes['error.type'], hasError]).toEqual(['503', true]);
});

it('a request without a response is an error with its code', async () => {
  await expect(request(`http://127.0.0.1:${await freePort()}/${TOKEN}`)).rejects.toThrow();
  const { attributes, hasError } = await onlySpan();
  expect([attributes['error.type'], hasError]).toEqual(['ECONNREFUSED', true]);
});

it('a message of a webhook carries its span', async () => {
  status = 410;
  expect(await deliver()).toMatchObject({ kind: 'response', status: 410 });
  const span = await onlySpan();
  expect(span).toMatchObject({
    name: 'POST webhook',
    attributes: { 'http.response.status_code': 410, 'error.type': '410' },
    hasError: true,
  });
  expect(requests[0]!.traceparent).toBe(`00-${span.traceId}-${span.spanId}-01`);
});

it('a handler of jobs that throws is an error with its code, without its message', async () => {
  const { purge } = tracing.jobHandlers<Pick<JobHandlers, 'purge'>>({
    purge: () => Promise.reject(Object.assign(new Error('secret'), { code: 'UNAVAILABLE' })),
  });
  const run = {
    id: 'job_1',
    kind: 'purge',
    postId: null,
    subjectId: 'job_1',
    traceparent: null,
    attempt: 2,
    renew: async () => true,
  } as const;
  await expect(purge(run)).rejects.toThrow('secret');
  const { name, attributes, hasError } = await onlySpan();
  expect([name, attributes['error.type'], hasError]).toEqual(['job purge', 'UNAVAILABLE', true]);
});
