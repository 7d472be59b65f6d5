import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
// not the global fetch, which checks responses against the OpenAPI document: Prism also sends its
// own
import { fetch } from 'undici';
import { suite } from '../setup/suite.js';
import type { TestGateway } from '../fixtures/gateway.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { ACTING } from '../parity/acting.js';
import { CREATING } from '../parity/creating.js';
import { DELETING } from '../parity/deleting.js';
import { restApi } from '../parity/rest-api.js';
import { READING } from '../parity/reading.js';
import { openScenarioRunner, type ScenarioRunner } from '../parity/environment.js';
import { UPDATE_FIELDS } from '../parity/update-fields.js';
import { UPDATE_REQUESTS } from '../parity/update-requests.js';
import { UPDATE_STATES } from '../parity/update-states.js';
import openapi from '../../src/rest/openapi.json' with { type: 'json' };
import { startPrism, type Prism } from './prism.js';
import {
  expectWebhookResponses,
  type ExpectResponse,
  type SendRequest,
} from './webhook-responses.js';

const count = { requests: 0, rejectedByBoth: 0 };
afterAll(() =>
  suite.report(
    `Prism’s proxy: ${count.requests} requests, ${count.rejectedByBoth} rejected by Prism and by the gateway, no violation.`,
  ),
);

/**
 * Sends requests through Prism. A request that Prism rejects must be rejected by the gateway too.
 * Throws if Prism rejects a response.
 */
const sendThrough =
  (prism: Pick<Prism, 'url'>, { owner, request }: TestGateway): SendRequest =>
  async (method, path, { as = owner, headers = {}, body } = {}) => {
    count.requests += 1;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const withType =
      body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
    const response = await fetch(prism.url + path, {
      method,
      headers: {
        Authorization: `Bearer-API ${as.apiKey}`,
        'Service-Workspace-Id': as.workspace.id,
        ...withType,
      },
      ...sent,
    });
    const text = await response.text();
    const received = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? '' : JSON.parse(text),
    };
    const problem = String(received.body.type ?? '').split('#')[1];
    if (problem === undefined) return received;
    if (problem !== 'UNPROCESSABLE_ENTITY') throw new Error(`${method} ${path}: ${text}`);
    count.rejectedByBoth += 1;
    const direct = await request(path, { method, caller: { as }, headers: withType, ...sent });
    expect({ prism: received.body.validation, gateway: direct.status }).toEqual({
      prism: received.body.validation,
      gateway: 400,
    });
    return direct;
  };

describe('parity scenarios through Prism', () => {
  let prism: Promise<Prism>;
  let theatre: ScenarioRunner;
  beforeAll(async () => {
    theatre = await openScenarioRunner((gateway) => {
      prism = startPrism(gateway.url);
      return restApi({
        v1: async (method, path, options) =>
          sendThrough(await prism, gateway)(method, `/v1${path}`, options),
      });
    });
    await prism;
  });
  afterAll(async () => {
    await (await prism).close();
    await theatre.close();
  });

  it.each([
    ...READING,
    ...UPDATE_FIELDS,
    ...UPDATE_STATES,
    ...UPDATE_REQUESTS,
    ...CREATING,
    ...ACTING,
    ...DELETING,
  ])('%s', async (_name, outcomes, scenario) => {
    const entries = await theatre.run(scenario);
    expect(entries.map(({ outcome }) => (outcome.kind === 'ok' ? 'ok' : outcome.code))).toEqual(
      outcomes,
    );
  });
});

/** Sent by test/rest/media: Prism does not check forms, and fetching needs a file server. */
const MEDIA_OPERATIONS = ['POST /v1/media', 'POST /v1/media/from-url'];

/** Changes of a media item. */
async function expectMediaResponses(expectResponse: ExpectResponse): Promise<void> {
  const upload = { body: { name: 'menu.pdf', bytes: 10 } };
  const { media_id: id } = (await expectResponse(200, ['POST', '/v1/media/uploads'], upload)).body;
  const params = { id };
  await expectResponse(200, ['PUT', '/v1/media/{id}'], { params, body: { caption: 'Menu' } });
  await expectResponse(200, ['DELETE', '/v1/media/{id}'], { params });
  await expectResponse(422, ['DELETE', '/v1/media/{id}'], { params });
}

/** Actions on a published post, and the queue of its account. */
async function expectActionResponses(
  expectResponse: ExpectResponse,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<void> {
  const dryRun = (status: number, action: string, body: object) =>
    expectResponse(status, ['POST', `/v1/posts/actions/${action}?dry_run=true`], { body });
  const posts = { post_ids: [id] };
  await dryRun(422, 'schedule', { ...posts, mode: 'draft' });
  await dryRun(422, 'review', { posts: [{ id, expected_version: 1 }], decision: 'approve' });
  for (const action of ['retry', 'pause', 'resume']) await dryRun(422, action, posts);
  await dryRun(200, 'restore', posts); // it is not deleted
  await dryRun(200, 'unpublish', posts);
  const params = { id };
  await expectResponse(422, ['POST', '/v1/posts/{id}/resolve'], {
    params,
    body: { not_live: true },
  });
  await expectResponse(422, ['POST', '/v1/posts/{id}/revert'], {
    params,
    body: { to_version: 7 },
  });
  const schedule = '/v1/accounts/{account_id}/posting-schedule';
  const ofAccount = { params: { account_id: accountId } };
  await expectResponse(200, ['PUT', schedule], {
    ...ofAccount,
    body: { slots: [{ weekday: 'monday', time: '09:00' }] },
  });
  await expectResponse(200, ['GET', schedule], ofAccount);
  await expectResponse(200, ['GET', '/v1/media/usage']);
  await expectResponse(200, ['POST', '/v1/media/uploads'], {
    body: { name: 'a.png', bytes: 10 },
  });
}

async function expectLabelResponses(
  expectResponse: ExpectResponse,
  { owner: { workspace }, records: { aLabel } }: TestGateway,
): Promise<void> {
  const [one, two] = [
    await aLabel({ workspaceId: workspace.id, name: 'one' }),
    await aLabel({ workspaceId: workspace.id, name: 'two' }),
  ];
  await expectResponse(200, ['GET', '/v1/labels']);
  await expectResponse(200, ['PUT', '/v1/labels/{id}'], {
    params: { id: one.id },
    body: { name: 'first' },
  });
  await expectResponse(200, ['POST', '/v1/labels/{id}/merge'], {
    params: { id: one.id },
    body: { into_id: two.id },
  });
  await expectResponse(200, ['DELETE', '/v1/labels/{id}'], { params: { id: two.id } });
}

/** Their successes need a network: test/parity has them. */
async function expectCalendarFeedResponses(expectResponse: ExpectResponse): Promise<void> {
  const { body } = await expectResponse(200, ['POST', '/v1/calendar-feeds'], {
    body: { states: ['scheduled'] },
  });
  await expectResponse(200, ['GET', '/v1/calendar-feeds']);
  await expectResponse(200, ['DELETE', '/v1/calendar-feeds/{feed_id}'], {
    params: { feed_id: body.feed.id },
  });
  await expectResponse(422, ['DELETE', '/v1/calendar-feeds/{feed_id}'], {
    params: { feed_id: 'cal_none' },
  });
}

async function expectConnectionResponses(expectResponse: ExpectResponse): Promise<void> {
  const account = { params: { account_id: 'acc_none' } };
  const connection = { params: { connection_id: 'con_none' } };
  await expectResponse(422, ['POST', '/v1/accounts/connect'], {
    body: {
      network: 'bluesky',
      credentials: [
        { name: 'handle', value: 'kiosk.example' },
        { name: 'appPassword', value: 'no' },
      ],
      account_id: 'acc_none',
    },
  });
  await expectResponse(422, ['POST', '/v1/accounts/{account_id}/check'], account);
  await expectResponse(422, ['DELETE', '/v1/accounts/{account_id}/connection'], account);
  await expectResponse(422, ['POST', '/v1/connections'], { body: { network: 'bluesky' } });
  await expectResponse(404, ['GET', '/v1/connections/{connection_id}'], connection);
  await expectResponse(404, ['POST', '/v1/connections/{connection_id}'], {
    ...connection,
    body: { choices: ['1'] },
  });
  const { body } = await expectResponse(200, ['POST', '/v1/connect-links'], {
    body: { networks: ['bluesky'] },
  });
  await expectResponse(200, ['GET', '/v1/connect-links']);
  await expectResponse(200, ['DELETE', '/v1/connect-links/{link_id}'], {
    params: { link_id: body.link.id },
  });
}

it('accepts every operation of the document, including the sandbox', async () => {
  const gateway = await gatewayWith();
  const prism = await startPrism(gateway.url);
  const {
    owner: by,
    records: { anAccount, aMedia, aPost },
  } = gateway;
  const account = await anAccount({ workspaceId: by.workspace.id, sandbox: true });
  await aMedia({ workspaceId: by.workspace.id });
  const { id } = await aPost({ by, account, storedState: 'published_posted' });
  const send = sendThrough(prism, gateway);
  const covered = new Set<string>();
  const expectResponse: ExpectResponse = async (
    status,
    [method, template],
    { params = {}, ...options } = {},
  ) => {
    covered.add(`${method} ${template.split('?')[0]}`);
    const response = await send(
      method,
      template.replace(/\{(\w+)\}/g, (_all, name: string) => params[name]!),
      options,
    );
    expect([method, template, response.status, response.body]).toEqual([
      method,
      template,
      status,
      response.body,
    ]);
    return response;
  };
  try {
    await expectResponse(200, ['GET', '/v1/openapi.json']);
    for (const path of [
      '/v1/workspaces',
      '/v1/accounts?page=0',
      '/v1/media',
      '/v1/posts?state[]=published&state[]=draft&page=3',
      '/sandbox/clock',
      '/sandbox/posts',
    ])
      await expectResponse(200, ['GET', path]);
    await expectResponse(200, ['GET', '/v1/posts/changes']);
    await expectActionResponses(expectResponse, { id, accountId: account.id });
    await expectLabelResponses(expectResponse, gateway);
    await expectConnectionResponses(expectResponse);
    await expectCalendarFeedResponses(expectResponse);
    await expectMediaResponses(expectResponse);
    const entry = { networks: { default: { type: 'status', text: 'Hi' } } };
    for (const [path, state] of [
      ['/v1/posts/schedule', 'draft'],
      ['/v1/posts/schedule/publish', 'scheduled'],
    ] as const) {
      const posts = [
        { ...entry, ...(state === 'draft' ? {} : { accounts: [{ id: account.id }] }) },
      ];
      const body = { bulk: { state, posts } };
      await expectResponse(200, ['POST', `${path}?dry_run=true`], { body });
      const { job_id } = (await expectResponse(202, ['POST', path], { body })).body;
      await expectResponse(200, ['GET', '/v1/job_status/{job_id}'], { params: { job_id } });
    }
    const params = { id };
    await expectResponse(200, ['GET', '/v1/posts/{id}/history'], { params });
    await expectResponse(200, ['POST', '/v1/posts/{id}/copy'], { params, body: {} });
    const etag = (await expectResponse(200, ['GET', '/v1/posts/{id}'], { params })).headers.get(
      'etag',
    )!;
    await expectResponse(304, ['GET', '/v1/posts/{id}'], {
      params,
      headers: { 'If-None-Match': etag },
    });
    await expectResponse(401, ['GET', '/v1/posts/{id}'], {
      params,
      headers: { Authorization: 'Bearer-API no' },
    });
    const changed = await expectResponse(200, ['PUT', '/v1/posts/{id}'], {
      params,
      headers: { 'If-Match': etag, 'Idempotency-Key': 'k' },
      body: { post: { text: 'New' } },
    });
    await expectResponse(412, ['PUT', '/v1/posts/{id}'], {
      params,
      headers: { 'If-Match': etag },
      body: { post: { text: 'Newer' } },
    });
    await expectResponse(200, ['GET', '/v1/job_status/{job_id}'], {
      params: { job_id: changed.headers.get('x-job-id')! },
    });
    await expectResponse(404, ['GET', '/v1/job_status/{job_id}'], {
      params: { job_id: 'job_none' },
    });
    await expectWebhookResponses(expectResponse);
    await expectResponse(200, ['PUT', '/sandbox/clock'], { body: { advance_seconds: 60 } });
    await expectResponse(200, ['PUT', '/sandbox/{id}/faults'], {
      params,
      body: { fail: { code: 'NETWORK_UNAVAILABLE', times: 1 } },
    });
    for (const method of ['GET', 'DELETE'])
      await expectResponse(200, [method, '/sandbox/{id}/faults'], { params });
    for (const method of ['GET', 'DELETE'])
      await expectResponse(200, [method, '/sandbox/{id}'], { params });
    await expectResponse(200, ['DELETE', '/v1/posts?post_ids[]=' + id]);
    expect([...covered].sort()).toEqual(
      Object.entries(openapi.paths)
        .flatMap(([path, verbs]) =>
          Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
        )
        .filter((operation) => !MEDIA_OPERATIONS.includes(operation))
        .sort(),
    );
  } finally {
    await prism.close();
    await gateway.close();
  }
});

it('rejects an invalid response', async () => {
  const invalidServer = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"posts":[{}]}'),
  ).listen(0, '127.0.0.1');
  await once(invalidServer, 'listening');
  const prism = await startPrism(
    `http://127.0.0.1:${(invalidServer.address() as AddressInfo).port}`,
  );
  const response = await fetch(`${prism.url}/v1/posts`, {
    headers: { Authorization: 'Bearer-API x', 'Service-Workspace-Id': 'wks_1' },
  });
  expect(await response.json()).toMatchObject({
    type: 'https://stoplight.io/prism/errors#VIOLATIONS',
    status: 500,
  });
  await prism.close();
  invalidServer.close();
});
