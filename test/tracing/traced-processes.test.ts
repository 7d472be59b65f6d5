import { startGateways, type GatewayProcesses } from '../fixtures/gateway-processes.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { aWorkerProcess } from '../fixtures/worker-process.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { anOtlpReceiver, type OtlpReceiver } from './otlp-receiver.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const SECRET_TEXT = 'Tasting on Saturday';

let receiver: OtlpReceiver;
let gateways: GatewayProcesses;
let viewer: KeyedViewer;

const send = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(gateways.processes[0]!.url + path, {
    ...init,
    headers: {
      Authorization: `Bearer-API ${viewer.apiKey}`,
      'Service-Workspace-Id': viewer.workspace.id,
      'Content-Type': 'application/json',
      ...headers,
    },
  });
const sendQuery = (query: string, headers: Record<string, string> = {}) =>
  send('/graphql', headers, { method: 'POST', body: JSON.stringify({ query }) });

beforeAll(async () => {
  buildIfChanged();
  receiver = await anOtlpReceiver();
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key',
    CREDENTIALS_KEY: Buffer.alloc(32, 1).toString('base64'),
  };
  gateways = await startGateways(
    { ...settings, JOB_CONCURRENCY: '0', OTEL_SERVICE_NAME: 'front' },
    1,
  );
  viewer = await gateways.records.aViewer();
  await aWorkerProcess({ ...settings, DATABASE_URL: gateways.db.url });
});
afterAll(async () => {
  killStartedPrograms();
  await gateways?.close();
  await receiver?.close();
});

it('a request continues the trace of its caller, and its job belongs to the request', async () => {
  const account = await gateways.records.anAccount({
    workspaceId: viewer.workspace.id,
    sandbox: true,
  });
  const post = await gateways.records.aPost({
    by: viewer,
    account,
    storedState: 'published_posted',
  });
  const response = await send(
    `/v1/posts/${post.id}`,
    { traceparent: `00-${TRACE}-${CALLER}-01` },
    { method: 'PUT', body: JSON.stringify({ post: { text: SECRET_TEXT } }) },
  );
  const jobId = response.headers.get('x-job-id');
  const request = await receiver.spanNamed('PUT /v1/posts/{id}');
  expect(request).toEqual({
    service: 'front',
    traceId: TRACE,
    spanId: expect.stringMatching(/^[\da-f]{16}$/),
    parentSpanId: CALLER,
    name: 'PUT /v1/posts/{id}',
    kind: 2,
    attributes: {
      'http.request.method': 'PUT',
      'http.response.status_code': response.status,
      'posts_gateway.api': 'rest',
    },
    hasError: false,
  });
  expect(await receiver.spanNamed('job network_edit')).toEqual({
    service: 'posts-gateway',
    traceId: TRACE,
    spanId: expect.stringMatching(/^[\da-f]{16}$/),
    parentSpanId: request.spanId,
    name: 'job network_edit',
    kind: 5,
    attributes: {
      'posts_gateway.job.id': jobId,
      'posts_gateway.job.kind': 'network_edit',
      'posts_gateway.job.attempt': 1,
      'posts_gateway.job.outcome': 'completed',
    },
    hasError: false,
  });
  expect(receiver.headers[0]).toMatchObject({ 'x-api-key': 'a key' });
});

it('jobs of media and webhooks belong to the request that created them', async () => {
  const owner = await gateways.records.aViewer({ role: 'owner' });
  const asOwner = {
    Authorization: `Bearer-API ${owner.apiKey}`,
    'Service-Workspace-Id': owner.workspace.id,
  };
  const created = await sendQuery(
    'mutation { createWebhook(input: {url: "https://receiver.example/", types: [POST_UPDATED]}) { webhook { id } } }',
    asOwner,
  );
  const { data } = (await created.json()) as { data: any };
  const { id } = data.createWebhook.webhook;
  const since = new Date().toISOString();
  const mutations = {
    media: 'importMedia(input: {urls: ["https://media.example/a.png"]}) { job { id } }',
    webhook: `redeliverWebhooks(input: {webhookId: "${id}", since: "${since}"}) { job { id } }`,
  };
  for (const [kind, mutation] of Object.entries(mutations)) {
    await sendQuery(`mutation { ${mutation} }`, asOwner);
    const request = await receiver.spanNamed(`mutation ${mutation.split('(')[0]}`);
    const job = await receiver.spanNamed(`job ${kind}`);
    expect([job.traceId, job.parentSpanId]).toEqual([request.traceId, request.spanId]);
  }
});

it('a failed request has its error code, and an error only if the gateway failed', async () => {
  await sendQuery('{ viewer { user { id } } }', { Authorization: 'Bearer-API unknown' });
  await send('/v1/posts/nothing');
  const span = await receiver.spanNamed('GET /v1/posts/{id}');
  expect([span.parentSpanId, span.hasError, span.attributes]).toEqual([
    null,
    false,
    {
      'http.request.method': 'GET',
      'http.response.status_code': 422,
      'posts_gateway.api': 'rest',
      'posts_gateway.error_code': 'POST_NOT_FOUND',
    },
  ]);
  const unauthenticated = receiver.spans.find(
    ({ attributes }) => attributes['posts_gateway.error_code'] === 'UNAUTHENTICATED',
  );
  expect(unauthenticated?.hasError).toBe(false);
});

it('a request whose caller does not record the trace is not recorded, nor are health checks', async () => {
  await send('/v1/networks', { traceparent: `00-${TRACE}-${CALLER}-00` });
  await send('/readyz');
  await sendQuery('{ networks { network } }', { traceparent: 'malformed' });
  const last = await receiver.spanNamed('query networks');
  expect([last.parentSpanId, last.traceId === TRACE]).toEqual([null, false]);
  const names = receiver.spans.map(({ name }) => name);
  expect(names.filter((name) => /networks$|ready/.test(name))).toEqual(['query networks']);
});

it('no span contains the text of a post, a key, or an ID of a user, workspace or post', () => {
  const sent = receiver.bodies.join('\n');
  expect(sent).toContain('PUT /v1/posts/{id}');
  for (const text of [SECRET_TEXT, viewer.apiKey, viewer.workspace.id, viewer.user.id])
    expect(sent).not.toContain(text);
});
