import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { OAUTH_APPS } from '../../src/domain/connections/oauth-rules.js';
import { createLog } from '../../src/log/log.js';
import { createProcessTracing } from '../../src/tracing/process-tracing.js';
import { allRows } from '../fixtures/database-rows.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { aMastodonInstance } from '../fixtures/mastodon-instance.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { formsOf } from '../fixtures/secret-forms.js';
import { waitFor } from '../fixtures/wait-for.js';
import { OAUTH_CONSENTS } from '../networks/stand-ins/oauth-dialects.js';
import {
  appOf,
  startOauthNetworks,
  type OauthConsent,
  type OauthNetworks,
} from '../networks/stand-ins/oauth-networks.js';
import { hostsAt } from '../networks/stand-ins/official-hosts.js';
import type { ReceivedRequest, Reply } from '../networks/stand-ins/stand-in.js';
import { suite } from '../setup/suite.js';
import { anOtlpReceiver } from '../tracing/otlp-receiver.js';

jest.setTimeout(300_000);

/** The secrets of connections (D82). */
const KINDS = [
  'client secret',
  'state',
  'code',
  'code verifier',
  'access token',
  'refresh token',
  'entered credential',
  'link',
  'cookie of a browser',
] as const;
type Kind = (typeof KINDS)[number];

const secrets = new Map<Kind, Set<string>>(KINDS.map((kind) => [kind, new Set()]));
const keep = (kind: Kind, secret: string | null | undefined): void => {
  if (secret) secrets.get(kind)!.add(secret);
};

/** What the gateway shows and stores, by place. */
const observed: Record<
  'responses' | 'log' | 'metrics' | 'traces' | 'events' | 'rows, and so backups',
  string[]
> = { responses: [], log: [], metrics: [], traces: [], events: [], 'rows, and so backups': [] };

const PUBLIC_URL = 'https://gateway.example';
const URL_OF_START = /https?:[^"\s]*[?&]state=[^"\s]*/g;
const TOKEN = 'tok-7f1c0ffee-of-the-kiosk';
const CONNECTION = 'connection { id status error { message } accounts { id } authorizeUrl }';

let gateway: TestGateway;
let networks: OauthNetworks;

/** Keeps a response, apart from what it is there to give to the person who starts a connection. */
function observe({ headers, body }: { headers: Headers; body: unknown }): void {
  const shown = JSON.stringify([...headers].filter(([name]) => name !== 'set-cookie'));
  observed.responses.push(`${shown}\n${JSON.stringify(body).replaceAll(URL_OF_START, '…')}`);
}

/** A network's error that repeats the whole request, as some networks do. */
function repeatRequest({ method, query, headers, bytes }: ReceivedRequest): Reply {
  const form = new URLSearchParams(bytes.toString());
  const sent = { ...query, ...Object.fromEntries(form) };
  keep('code', sent['code']);
  keep('code verifier', sent['code_verifier']);
  keep('client secret', headers['authorization']?.replace('Basic ', ''));
  const message = `${Object.values(sent).join(' ')} ${headers['authorization']} ${method}`;
  return {
    status: 400,
    json: { error: { message, code: 190 }, error_description: message, message, code: 283 },
  };
}

/** Starts a connection on a page of the gateway. Returns what the person does with it. */
async function start(as: KeyedViewer, { network, way }: OauthConsent) {
  const input = {
    network: network.toUpperCase(),
    pages: way === 'pages',
    login: way === 'facebook' ? 'FACEBOOK' : null,
  };
  const response = await gateway.graphql(
    `mutation($input: StartConnectionInput!) { startConnection(input: $input) { ${CONNECTION} } }`,
    { input },
    { as, headers: { Origin: PUBLIC_URL } },
  );
  observe(response);
  expect(response.body.errors).toBeUndefined();
  const { id, authorizeUrl } = response.body.data.startConnection.connection;
  keep('state', new URL(authorizeUrl).searchParams.get('state'));
  const [cookie] = response.headers.get('set-cookie')!.split(';');
  keep('cookie of a browser', cookie!.split('=')[1]);
  return { id: id as string, authorizeUrl: authorizeUrl as string, cookie: cookie! };
}

/** A person comes back from the page of a network. Returns the connection, by both APIs. */
async function comeBack(as: KeyedViewer, consent: OauthConsent) {
  const { id, authorizeUrl, cookie } = await start(as, consent);
  const { pathname, search, searchParams } = new URL(
    await networks.answerPage(authorizeUrl, 'allow'),
  );
  keep('code', searchParams.get('code'));
  const response = await fetch(`${gateway.url}${pathname}${search}`, {
    redirect: 'manual',
    headers: { Cookie: cookie },
  });
  observe({ headers: response.headers, body: await response.text() });
  const found = await gateway.graphql(
    `query($id: ID!) { ${CONNECTION.replace('connection', 'connection(id: $id)')} }`,
    { id },
    { as },
  );
  observe(found);
  observe(await gateway.v1('GET', `/connections/${id}`, { as }));
  return found.body.data.connection;
}

/** Lets the workers look after an account, and waits until they have. */
async function lookAfter(accountId: string): Promise<void> {
  await gateway.db.prisma.accountConnection.update({
    where: { accountId },
    data: { dueAt: new Date(0), renewAt: new Date(0) },
  });
  const job = `job_${accountId}${randomBytes(4).toString('hex')}`;
  await gateway.db.prisma.job.create({ data: { id: job, kind: 'connection' } });
  await waitFor(async () => {
    const { status } = await gateway.db.prisma.job.findUniqueOrThrow({ where: { id: job } });
    return status !== 'working';
  });
}

/** The life of a connection: refused, connected, renewed, refused again, and disconnected. */
async function connectAndLose(as: KeyedViewer, consent: OauthConsent): Promise<void> {
  networks.injectFault(0, repeatRequest);
  expect(await comeBack(as, consent)).toMatchObject({ status: 'FAILED' });
  networks.injectFault(-1, 'no-response');
  const { status, error, accounts } = await comeBack(as, consent);
  expect({ status, error }).toEqual({ status: 'CONNECTED', error: null });
  const [{ id }] = accounts;
  await lookAfter(id);
  networks.injectFault(0, repeatRequest);
  await lookAfter(id);
  observe(await gateway.v1('POST', `/accounts/${id}/check`, { as }));
  observe(await gateway.v1('DELETE', `/accounts/${id}/connection`, { as }));
  const notifications = '{ viewer { notifications(first: 5) { nodes { message } } } }';
  observe(await gateway.graphql(notifications, {}, { as }));
}

/** Accounts that are connected by credentials, some of which the network repeats in its error. */
async function enterCredentials(
  as: KeyedViewer,
  addresses: { readonly accepting: string; readonly repeating: string },
): Promise<void> {
  const { accepting, repeating } = addresses;
  const refused = 'entered-secret-';
  const cases: readonly (readonly [string, Record<string, string>])[] = [
    ['mastodon', { instance: accepting, accessToken: TOKEN }],
    ['mastodon', { instance: repeating, accessToken: `${refused}mastodon` }],
    ['bluesky', { service: repeating, handle: 'a.test', appPassword: `${refused}bluesky` }],
    ['wordpress', { site: repeating, username: 'ada', applicationPassword: `${refused}blog` }],
    ['telegram', { botToken: '123456:entered-secret-of-the-bot', chatId: '@kiosk' }],
    ['linkedin', { accessToken: `${refused}linkedin` }],
  ];
  for (const [network, credentials] of cases) {
    const { instance: _i, service: _s, site: _b, handle: _h, username: _u, ...rest } = credentials;
    const { chatId: _c, ...entered } = rest;
    for (const secret of Object.values(entered)) keep('entered credential', secret);
    const entries = Object.entries(credentials).map(([name, value]) => ({ name, value }));
    const body = { network, credentials: entries };
    const response = await gateway.v1('POST', '/accounts/connect', { as, body });
    observe(response);
    const isAccepted = credentials['instance'] === accepting;
    expect([network, response.status]).toEqual([network, isAccepted ? 200 : 422]);
    if (isAccepted)
      observe(await gateway.v1('POST', `/accounts/${response.body.id as string}/check`, { as }));
  }
}

/** A link, which its holder uses, and which is revoked. */
async function useLink(as: KeyedViewer): Promise<void> {
  const created = await gateway.v1('POST', '/connect-links', { as, body: {} });
  const secret = (created.body.url as string).split('#')[1]!;
  keep('link', secret);
  observe({ ...created, body: { ...created.body, url: null } });
  observe(await gateway.v1('GET', '/connect-links', { as }));
  for (const [method, path] of [
    ['GET', 'offers'],
    ['POST', 'connections'],
    ['GET', secret],
  ] as const) {
    const response = await fetch(`${gateway.url}/connect/link/${path}`, {
      method,
      headers: {
        Authorization: `Connect-Link ${secret}`,
        Origin: PUBLIC_URL,
        'Content-Type': 'application/json',
      },
      ...(method === 'POST' && { body: JSON.stringify({ network: 'tiktok' }) }),
    });
    const body = await response.text();
    keep('state', /[?&]state=([\w-]+)/.exec(body)?.[1]);
    keep(
      'cookie of a browser',
      /=([\w-]{43});/.exec(response.headers.get('set-cookie') ?? '')?.[1],
    );
    observe({ headers: response.headers, body });
  }
  const { id } = created.body.link;
  observe(await gateway.v1('DELETE', `/connect-links/${id as string}`, { as }));
}

/** A server whose errors contain the credentials that it got. */
async function aRepeatingServer() {
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const { authorization = '' } = request.headers;
      const plain = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
      const message = `No: ${authorization} ${plain} ${request.url} ${sent}`;
      response
        .writeHead(401, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ error: message, message, description: message, ok: false }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

beforeAll(async () => {
  const [repeating, instance, receiver] = await Promise.all([
    aRepeatingServer(),
    aMastodonInstance({ token: TOKEN }),
    anOtlpReceiver(),
  ]);
  networks = await startOauthNetworks();
  const tracing = createProcessTracing({
    endpoint: receiver.url,
    headers: {},
    serviceName: 'gateway',
    share: 1,
    onExportError: (error) => {
      throw error ?? new Error('export failed');
    },
  });
  gateway = await gatewayWith({
    log: createLog('trace', (line) => observed.log.push(line)),
    tracing,
    metricsPort: 0,
    networksAllowLoopback: true,
    publicUrl: PUBLIC_URL,
    networkHosts: { ...hostsAt(networks.url), 'api.telegram.org': repeating.url },
    ...Object.fromEntries(
      OAUTH_APPS.flatMap((app) => [
        [`${app}_CLIENT_ID`, appOf(app).clientId],
        [`${app}_CLIENT_SECRET`, appOf(app).clientSecret],
      ]),
    ),
  });
  try {
    gateway.startWorker();
    for (const app of OAUTH_APPS) keep('client secret', appOf(app).clientSecret);
    for (const [index, consent] of OAUTH_CONSENTS.entries()) {
      networks.state.person = String(9_000 + index);
      await connectAndLose(await gateway.records.aViewer(), consent);
    }
    networks.injectFault(-1, 'no-response');
    const owner = await gateway.records.aViewer();
    await enterCredentials(owner, { accepting: instance.url, repeating: repeating.url });
    await useLink(owner);

    const { rows } = await gateway.db.pool.query<{ event: string }>(
      "SELECT to_jsonb(e)::text AS event FROM event e WHERE type LIKE 'account.%'",
    );
    observed.events.push(...rows.map(({ event }) => event));
    observed['rows, and so backups'].push(...Object.values(await allRows(gateway.db.pool)).flat());
    observed.metrics.push(await (await fetch(`${gateway.metricsUrl}/metrics`)).text());
    for (const token of networks.state.issued.access) keep('access token', token);
    for (const token of networks.state.issued.refresh) keep('refresh token', token);
  } finally {
    await gateway.close();
    await tracing.close();
    observed.traces.push(...receiver.bodies);
    for (const server of [networks, instance, repeating, receiver]) await server.close();
  }
});

it.each(KINDS)('no %s appears in a response, log, metric, trace, event or row', (kind) => {
  const given = [...secrets.get(kind)!];
  expect(given.filter((secret) => secret.length < 8)).toEqual([]);
  expect(given.length).toBeGreaterThan(0);
  const forms = given.flatMap(formsOf);
  const found = Object.entries(observed).flatMap(([place, texts]) =>
    texts
      .filter((shown) => forms.some((form) => shown.includes(form)))
      .map((shown) => ({ place, shown: shown.slice(0, 2_000) })),
  );
  expect(found).toEqual([]);
});

it('each place was searched', () => {
  const known: Readonly<Record<keyof typeof observed, string>> = {
    responses: '•••',
    log: '/connect/callback',
    metrics: 'posts_gateway_renewals_total',
    traces: 'POST TikTok',
    events: 'account.needs_reauthorization',
    'rows, and so backups': 'no longer accepts',
  };
  for (const [place, part] of Object.entries(known))
    expect([place, observed[place as keyof typeof observed].join('\n').includes(part)]).toEqual([
      place,
      true,
    ]);
  const counts = KINDS.map((kind) => `${secrets.get(kind)!.size} ${kind}`).join(', ');
  suite.report(`Secrets of connections: ${counts}; none was found.`);
});
