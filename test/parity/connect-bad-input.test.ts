import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appOf, startOauthNetworks } from '../networks/stand-ins/oauth-networks.js';
import { hostsAt } from '../networks/stand-ins/official-hosts.js';
import { allRows } from '../fixtures/database-rows.js';
import { withGateway } from '../fixtures/gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import type { KeyedViewer } from '../fixtures/records.js';

/** What a server answers that is given as a Mastodon instance or a WordPress blog. */
type ServerKind =
  'no network' | 'a page' | 'no application passwords' | 'Authorization is stripped';

/** A server of this kind, at the path of the same name. */
async function aServer() {
  const server = createServer(({ url = '', headers: { host } }, response) => {
    const [, kind = '', ...path] = decodeURIComponent(url).split('/');
    const json = (status: number, body: object): void =>
      void response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(body));
    const page = `http://${host}/${encodeURIComponent(kind)}/wp-admin/authorize-application.php`;
    if (kind === 'a page')
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Kiosk</h1>');
    else if (kind === 'no network') json(404, { error: 'Not found' });
    else if (path.join('/').startsWith('wp-json/wp/'))
      json(401, { code: 'rest_not_logged_in', message: 'You are not currently logged in.' });
    else
      json(200, {
        name: 'Kiosk',
        authentication:
          kind === 'no application passwords'
            ? []
            : { 'application-passwords': { endpoints: { authorization: page } } },
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const servers = forAllTests(aServer, 'close');
const addressOf = (kind: ServerKind): string => `${servers.url}/${encodeURIComponent(kind)}`;
const networkHosts: Record<string, string> = {};
const networks = forAllTests(async () => {
  const started = await startOauthNetworks();
  Object.assign(networkHosts, hostsAt(started.url));
  return started;
}, 'close');
const gateway = withGateway({
  networksAllowLoopback: true,
  networkHosts,
  publicUrl: 'https://gateway.example',
  LINKEDIN_PAGES_CLIENT_ID: appOf('LINKEDIN_PAGES').clientId,
  LINKEDIN_PAGES_CLIENT_SECRET: appOf('LINKEDIN_PAGES').clientSecret,
});

/** A refused request, as both APIs present it. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The field of the input that GraphQL names; null from v1, whose message names it. */
  readonly field: readonly string[] | null;
}
type Mutation = 'startConnection' | 'connectAccount' | 'finishConnection';
type Send = (as: KeyedViewer, mutation: Mutation, input: Record<string, any>) => Promise<Refusal>;

const byGraphql: Send = async (as, mutation, input) => {
  const type = `${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { result: ${mutation}(input: $input) { userErrors { code message field } } }`;
  const variables = {
    input: { ...input, ...(input['network'] && { network: input['network'].toUpperCase() }) },
  };
  return (await gateway.graphql(query, variables, { as })).body.data.result.userErrors[0];
};
const byV1: Send = async (as, mutation, { id, returnUrl, ...input }) => {
  const path = {
    startConnection: '/connections',
    connectAccount: '/accounts/connect',
    finishConnection: `/connections/${id}`,
  }[mutation];
  const body = { ...input, ...(returnUrl && { return_url: returnUrl }) };
  const response = await gateway.v1('POST', path, { as, body });
  expect(response.status).toBe(422);
  return { code: response.body.code, message: response.body.errors.join(' '), field: null };
};

/** Input, the field that is wrong, and what is said about it. */
interface BadInput {
  readonly mutation: Mutation;
  input(): Promise<Record<string, any>> | Record<string, any>;
  readonly field: string;
  readonly message: RegExp;
}

let owner: KeyedViewer;
beforeEach(async () => {
  owner = await gateway.records.aViewer();
});

/** A connection of a person with two pages. Returns its ID. */
async function aChoice(): Promise<string> {
  Object.assign(networks.state, { person: '61', accounts: 2 });
  const body = { network: 'linkedin', pages: true };
  const started = await gateway.v1('POST', '/connections', { as: owner, body });
  const { pathname, search } = new URL(
    await networks.answerPage(started.body.authorize_url, 'allow'),
  );
  await fetch(`${gateway.url}${pathname}${search}`, { redirect: 'manual' });
  return started.body.id;
}
const start = (network: string, kind: ServerKind) => () => ({ network, server: addressOf(kind) });
const credentials = (network: string, values: () => Record<string, string>) => () => ({
  network,
  credentials: Object.entries(values()).map(([name, value]) => ({ name, value })),
});

const BAD_INPUT: Readonly<Record<string, BadInput>> = {
  'a server that is no Mastodon': {
    mutation: 'startConnection',
    input: start('mastodon', 'no network'),
    field: 'server',
    message: /is (not|no) .*Mastodon/,
  },
  'a server that answers with a page': {
    mutation: 'startConnection',
    input: start('mastodon', 'a page'),
    field: 'server',
    message: /Mastodon/,
  },
  'a blog without application passwords': {
    mutation: 'startConnection',
    input: start('wordpress', 'no application passwords'),
    field: 'server',
    message: /has no application passwords. They need WordPress 5.6 and https/,
  },
  'a website that is no blog': {
    mutation: 'startConnection',
    input: start('wordpress', 'a page'),
    field: 'server',
    message: /is not a WordPress blog that the gateway can use/,
  },
  'an application password of a blog behind a firewall that strips Authorization': {
    mutation: 'connectAccount',
    input: credentials('wordpress', () => ({
      site: addressOf('Authorization is stripped'),
      username: 'ada',
      applicationPassword: 'abcd efgh ijkl mnop qrst uvwx',
    })),
    field: 'credentials',
    message: /WordPress rejected the account’s credentials.*You are not currently logged in/,
  },
  'a token for another network': {
    mutation: 'connectAccount',
    input: credentials('linkedin', () => ({ accessToken: 'access-0facebook' })),
    field: 'credentials',
    message: /^LinkedIn rejected the account’s credentials/,
  },
  'a returnUrl that is not allowed': {
    mutation: 'startConnection',
    input: () => ({ network: 'linkedin', pages: true, returnUrl: 'https://evil.example/' }),
    field: 'returnUrl',
    message: /^(returnUrl|return_url) must be a URL of https:\/\/gateway\.example\./,
  },
  'choices that were not offered': {
    mutation: 'finishConnection',
    input: async () => ({ id: await aChoice(), choices: ['1', '3'] }),
    field: 'choices',
    message: /^choices must be some of those that the connection offers: 1, 2\.$/,
  },
};

describe.each([
  ['GraphQL', byGraphql],
  ['REST v1', byV1],
])('%s refuses and stores nothing of', (name, send) => {
  it.each(Object.entries(BAD_INPUT))('%s', async (_case, { mutation, field, message, ...bad }) => {
    const input = await bad.input();
    const before = await allRows(gateway.db.pool);
    expect(await send(owner, mutation, input)).toEqual({
      code: 'RULE_VIOLATION',
      message: expect.stringMatching(message),
      field: name === 'GraphQL' ? ['input', field] : null,
    });
    expect(await allRows(gateway.db.pool)).toEqual(before);
  });
});

it('consent for a blog behind a firewall that strips Authorization says so', async () => {
  const { body } = await gateway.v1('POST', '/connections', {
    as: owner,
    body: { network: 'wordpress', server: addressOf('Authorization is stripped') },
  });
  const back = new URL(new URL(body.authorize_url).searchParams.get('success_url')!);
  back.searchParams.set('user_login', 'ada');
  back.searchParams.set('password', 'abcdefghijklmnopqrstuvwx');
  await fetch(`${gateway.url}${back.pathname}${back.search}`, { redirect: 'manual' });
  const found = await gateway.v1('GET', `/connections/${body.id as string}`, { as: owner });
  expect(found.body).toMatchObject({
    status: 'failed',
    account_ids: [],
    error: {
      code: 'RULE_VIOLATION',
      message: expect.stringMatching(/A firewall or the web server may remove the header/),
    },
  });
  expect(
    await gateway.db.prisma.account.count({ where: { workspaceId: owner.workspace.id } }),
  ).toBe(0);
});
