import { credentialFieldsOf } from '../../../src/domain/networks/networks.js';
import { createBluesky } from '../../../src/networks/bluesky/bluesky.js';
import { createHttpClient } from '../../../src/networks/http-client/http-client.js';
import type { PreparedPost, SentPost } from '../../../src/services/networks/network-ports.js';
import { aPost } from '../../fixtures/posts.js';
import { blueskyCase } from '../stand-ins/bluesky.js';
import { APP_PASSWORD, aService, startBluesky } from '../stand-ins/bluesky-server.js';
import { NOW } from '../stand-ins/network-case.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const [SIGN_IN, RENEW] = ['createSession', 'refreshSession'].map(
  (name) => `POST /xrpc/com.atproto.server.${name}`,
) as [string, string];
const [PUT, GET] = [
  'POST /xrpc/com.atproto.repo.putRecord',
  'GET /xrpc/com.atproto.repo.getRecord',
];

async function aPublisher() {
  const service = aService();
  const clock = { time: NOW, now: () => clock.time };
  const standIn = await startBluesky(service, clock.now);
  const adapter = createBluesky(createHttpClient({ allowLoopback: true, clock }));
  const credentials = blueskyCase.credentials(standIn.url);
  const account = { ...aPost().account!, network: 'bluesky' as const };
  const target = { account, credentials, post: aPost({ network: 'bluesky', account }) };
  const { handle } = (await adapter.publisher!.prepare(target)) as PreparedPost;
  const sent: SentPost = { ...target, handle, sentAt: NOW };
  return {
    service,
    standIn,
    adapter,
    credentials,
    look: () => adapter.publisher!.look(sent),
    publish: () => adapter.publisher!.publish(sent),
    passMinutes(minutes: number) {
      clock.time = new Date(clock.time.getTime() + minutes * 60_000);
    },
  };
}

const publisher = forEachTest(() => aPublisher());
afterEach(() => publisher.standIn.close());

const requests = (): string[] => publisher.standIn.requests.splice(0);

it('signs in once, and renews the session before its token ends', async () => {
  const { look, passMinutes } = publisher;
  expect(requests()).toEqual([SIGN_IN]);
  await look();
  passMinutes(109);
  await look();
  expect(requests()).toEqual([GET, GET]);
  passMinutes(2);
  await look();
  await look();
  expect(requests()).toEqual([RENEW, GET, GET]);
});

it('signs in again if the session cannot be renewed', async () => {
  const { look, passMinutes, service } = publisher;
  requests();
  service.tokens.forEach((token) => service.refused.add(token));
  passMinutes(115);
  expect(await look()).toEqual({ kind: 'not_there' });
  expect(requests()).toEqual([RENEW, SIGN_IN, GET]);
});

it('signs in again if the token is refused, and publishes once', async () => {
  const { publish, service } = publisher;
  requests();
  service.tokens.forEach((token) => service.refused.add(token));
  expect(await publish()).toMatchObject({ kind: 'live' });
  expect(requests()).toEqual([PUT, SIGN_IN, PUT]);
  expect(service.records.size).toBe(1);
});

it('has not sent the post if it cannot sign in', async () => {
  const { publish, passMinutes, standIn } = publisher;
  passMinutes(115);
  standIn.injectFault(0, 'disconnect');
  expect(await publish()).toMatchObject({
    kind: 'failed',
    code: 'NETWORK_UNAVAILABLE',
    isUnsent: true,
  });
});

it('needs reauthorization if the app password was revoked', async () => {
  const { adapter, credentials, standIn } = publisher;
  const check = (appPassword: string) => adapter.check({ ...credentials, appPassword });
  expect(await check('wron-gpas-swor-dddd')).toEqual({
    kind: 'failed',
    code: 'NETWORK_REAUTHORIZATION_NEEDED',
    message:
      'Bluesky rejected the account’s credentials; connect the account again (401): Invalid identifier or password.',
  });
  expect(await check(APP_PASSWORD)).toEqual({ kind: 'connected', ...blueskyCase.account });
  expect(standIn.violations).toEqual([]);
});

it('cannot be used by an account that the service suspended', async () => {
  const { publish, standIn } = publisher;
  standIn.injectFault(0, {
    status: 400,
    json: { error: 'AccountTakedown', message: 'Account has been taken down' },
  });
  expect(await publish()).toMatchObject({ kind: 'failed', code: 'NETWORK_FORBIDDEN' });
});

it('uses the service of most accounts unless another one is given', async () => {
  const adapter = createBluesky(
    createHttpClient({ allowLoopback: false, clock: { now: () => NOW } }),
  );
  expect(
    credentialFieldsOf('bluesky').map(({ name, optional = false }) => [name, optional]),
  ).toEqual([
    ['service', true],
    ['handle', false],
    ['appPassword', false],
  ]);
  expect(
    await adapter.check({ service: 'http://localhost:1', handle: 'x.test', appPassword: 'x' }),
  ).toMatchObject({ code: 'NETWORK_NOT_CONNECTED' });
});

it('does not edit posts', async () => {
  const { adapter, credentials } = publisher;
  const account = { ...aPost().account!, network: 'bluesky' as const };
  const edit = { account, credentials, post: aPost({ network: 'bluesky', account }) };
  expect(
    await adapter.edit({
      ...edit,
      remoteId: blueskyCase.remoteId,
      changed: new Set(['text'] as const),
    }),
  ).toMatchObject({ kind: 'failed', code: 'NETWORK_REFUSED' });
});

it('removes no post of another account', async () => {
  const { adapter, credentials } = publisher;
  const account = { ...aPost().account!, network: 'bluesky' as const };
  expect(
    await adapter.publisher!.remove({
      account,
      credentials,
      remoteId: 'at://did:plc:other/app.bsky.feed.post/3kabcdefghij2',
      postId: 'unknown',
    }),
  ).toMatchObject({ kind: 'failed', code: 'NETWORK_POST_UNKNOWN' });
});
