import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fetch } from 'undici'; // the global one holds what it gets to the reference, and Prism answers by itself too
import { suite } from '../setup/suite.js';
import type { Answer, Asking, TestGateway } from '../fixtures/gateway.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { DELETING } from '../parity/deleting.js';
import { v1Door } from '../parity/apis.js';
import { READING } from '../parity/reading.js';
import { openTheatre, type Theatre } from '../parity/stage.js';
import { UPDATING } from '../parity/updating.js';
import openapi from '../../src/rest/openapi.json' with { type: 'json' };
import { startPrism, type Prism } from './prism.js';

jest.setTimeout(60_000);

const count = { requests: 0, refusedByBoth: 0 };
afterAll(() =>
  suite.tell(
    `Prism’s proxy: ${count.requests} requests, ${count.refusedByBoth} refused by Prism and by the gateway, no violation.`,
  ),
);

type Ask = (
  method: string,
  path: string,
  asking?: Asking & { body?: unknown },
) => Promise<Answer<any>>;

/** Asks through Prism. What it refuses the gateway has to refuse too, as malformed; an answer that it does not let pass is thrown. */
const behind =
  (prism: Pick<Prism, 'url'>, { owner, ask }: TestGateway): Ask =>
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
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? '' : JSON.parse(text),
    };
    const problem = String(answer.body.type ?? '').split('#')[1];
    if (problem === undefined) return answer;
    if (problem !== 'UNPROCESSABLE_ENTITY') throw new Error(`${method} ${path}: ${text}`);
    count.refusedByBoth += 1;
    const direct = await ask(path, { method, asking: { as }, headers: withType, ...sent });
    expect({ prism: answer.body.validation, gateway: direct.status }).toEqual({
      prism: answer.body.validation,
      gateway: 400,
    });
    return direct;
  };

describe('the scenarios of both doors, REST v1 behind Prism', () => {
  let prism: Promise<Prism>;
  let theatre: Theatre;
  beforeAll(async () => {
    theatre = await openTheatre((gateway) => {
      prism = startPrism(gateway.url);
      return v1Door({
        v1: async (method, path, asking) =>
          behind(await prism, gateway)(method, `/v1${path}`, asking),
      });
    });
    await prism;
  });
  afterAll(async () => {
    await (await prism).close();
    await theatre.close();
  });

  it.each([...READING, ...UPDATING, ...DELETING])('%s', async (_name, outcomes, scenario) => {
    const entries = await theatre.play(scenario);
    expect(entries.map(({ outcome }) => (outcome.kind === 'ok' ? 'ok' : outcome.code))).toEqual(
      outcomes,
    );
  });
});

it('lets every operation of the document pass, of the sandbox too', async () => {
  const gateway = await gatewayWith();
  const prism = await startPrism(gateway.url);
  const {
    owner: by,
    records: { anAccount, aMedia, aPost },
  } = gateway;
  const account = await anAccount({ workspaceId: by.workspace.id, sandbox: true });
  await aMedia({ workspaceId: by.workspace.id });
  const { id } = await aPost({ by, account, cell: 'published_posted' });
  const ask = behind(prism, gateway);
  const asked = new Set<string>();
  const expectAnswer = async (
    status: number,
    [method, template]: [string, string],
    { where = {}, ...asking }: Parameters<Ask>[2] & { where?: Record<string, string> } = {},
  ): Promise<Answer<any>> => {
    asked.add(`${method} ${template.split('?')[0]}`);
    const answer = await ask(
      method,
      template.replace(/\{(\w+)\}/g, (_all, name: string) => where[name]!),
      asking,
    );
    expect([method, template, answer.status, answer.body]).toEqual([
      method,
      template,
      status,
      answer.body,
    ]);
    return answer;
  };
  try {
    await expectAnswer(200, ['GET', '/v1/openapi.json']);
    for (const path of [
      '/v1/workspaces',
      '/v1/accounts?page=0',
      '/v1/media',
      '/v1/posts?state[]=published&state[]=draft&page=3',
      '/sandbox/clock',
    ])
      await expectAnswer(200, ['GET', path]);
    const where = { id };
    const etag = (await expectAnswer(200, ['GET', '/v1/posts/{id}'], { where })).headers.get(
      'etag',
    )!;
    await expectAnswer(304, ['GET', '/v1/posts/{id}'], {
      where,
      headers: { 'If-None-Match': etag },
    });
    await expectAnswer(401, ['GET', '/v1/posts/{id}'], {
      where,
      headers: { Authorization: 'Bearer-API no' },
    });
    const changed = await expectAnswer(200, ['PUT', '/v1/posts/{id}'], {
      where,
      headers: { 'If-Match': etag, 'Idempotency-Key': 'k' },
      body: { post: { text: 'New' } },
    });
    await expectAnswer(412, ['PUT', '/v1/posts/{id}'], {
      where,
      headers: { 'If-Match': etag },
      body: { post: { text: 'Newer' } },
    });
    await expectAnswer(200, ['GET', '/v1/job_status/{job_id}'], {
      where: { job_id: changed.headers.get('x-job-id')! },
    });
    await expectAnswer(404, ['GET', '/v1/job_status/{job_id}'], { where: { job_id: 'job_none' } });
    await expectAnswer(200, ['PUT', '/sandbox/clock'], { body: { advance_seconds: 60 } });
    await expectAnswer(200, ['PUT', '/sandbox/{id}/faults'], {
      where,
      body: { fail: { code: 'NETWORK_UNAVAILABLE', times: 1 } },
    });
    for (const method of ['GET', 'DELETE'])
      await expectAnswer(200, [method, '/sandbox/{id}/faults'], { where });
    for (const method of ['GET', 'DELETE'])
      await expectAnswer(200, [method, '/sandbox/{id}'], { where });
    await expectAnswer(200, ['DELETE', '/v1/posts?post_ids[]=' + id]);
    expect([...asked].sort()).toEqual(
      Object.entries(openapi.paths)
        .flatMap(([path, verbs]) =>
          Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
        )
        .sort(),
    );
  } finally {
    await prism.close();
    await gateway.close();
  }
});

it('would not let a wrong answer pass', async () => {
  const wrong = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"posts":[{}]}'),
  ).listen(0, '127.0.0.1');
  await once(wrong, 'listening');
  const prism = await startPrism(`http://127.0.0.1:${(wrong.address() as AddressInfo).port}`);
  const response = await fetch(`${prism.url}/v1/posts`, {
    headers: { Authorization: 'Bearer-API x', 'Service-Workspace-Id': 'wks_1' },
  });
  expect(await response.json()).toMatchObject({
    type: 'https://stoplight.io/prism/errors#VIOLATIONS',
    status: 500,
  });
  await prism.close();
  wrong.close();
});
