import type { Post } from '../../../src/domain/posts/post.js';
import { createHttpClient } from '../../../src/networks/http-client/http-client.js';
import type { SentPost } from '../../../src/services/networks/network-ports.js';
import { anAttachment, aPost } from '../../fixtures/posts.js';
import { instagramCase, startInstagram } from '../stand-ins/instagram.js';
import { aContainerState, type ContainerState } from '../stand-ins/meta-containers.js';
import { NOW, type NetworkCase, type NetworkStandIn } from '../stand-ins/network-case.js';
import { startThreads, threadsCase } from '../stand-ins/threads.js';

interface ContainerCase {
  readonly network: NetworkCase;
  /** The subcode of a container that the network does not find when it publishes it. */
  readonly notFound: number;
  start(state: ContainerState): Promise<NetworkStandIn>;
}
const CASES: readonly ContainerCase[] = [
  { network: threadsCase, notFound: 4_279_009, start: startThreads },
  { network: instagramCase, notFound: 2_207_008, start: startInstagram },
];

const MINUTE = 60_000;
const failed = (code: string, message: RegExp) => ({
  kind: 'failed',
  code,
  message: expect.stringMatching(message),
});

describe.each(CASES.map((one) => [one.network.network, one] as const))(
  '%s',
  (_name, { network, notFound, start }) => {
    let state: ContainerState;
    let standIn: NetworkStandIn;
    let now: Date;
    beforeEach(async () => {
      now = NOW;
      state = aContainerState();
      standIn = await start(state);
    });
    afterEach(() => standIn.close());

    const later = (ms: number): void => {
      now = new Date(now.getTime() + ms);
      state.now = now;
    };
    const created = (): number =>
      standIn.requests.filter((request) => /^POST .*\/(threads|media)$/.test(request)).length;

    /** The publisher, with a new client for each call as after a crash, and its target. */
    function publishing(content: Partial<Post> = {}) {
      const account = { ...aPost().account!, network: network.network };
      const media = [anAttachment({ url: `${standIn.url}/elsewhere/beans.jpg` })];
      const post = aPost({ network: network.network, account, type: 'photo', media, ...content });
      const target = { account, credentials: network.credentials(standIn.url), post };
      const publisher = () =>
        network.adapter(
          createHttpClient({ allowLoopback: true, clock: { now: () => now } }),
          standIn.url,
        ).publisher!;
      const prepare = (started: Readonly<Record<string, string>> | null) =>
        publisher().prepare(target, started);
      return {
        publisher,
        prepare,
        /** Prepares the post as the worker does, waiting as long as the network asks for. */
        async send(): Promise<SentPost> {
          let prepared = await prepare(null);
          while (prepared.kind === 'preparing') {
            later(prepared.againInMs);
            prepared = await prepare(prepared.handle);
          }
          if (prepared.kind === 'failed') throw new Error(prepared.message);
          return { ...target, handle: prepared.handle, sentAt: now };
        },
      };
    }

    it('creates each container once, however long the network processes it', async () => {
      state.processingPolls = 12;
      const { prepare, publisher } = publishing({
        type: 'carousel',
        media: ['a', 'b'].map((name) =>
          anAttachment({ url: `${standIn.url}/elsewhere/${name}.jpg` }),
        ),
      });
      let prepared = await prepare(null);
      const pauses: number[] = [];
      while (prepared.kind === 'preparing') {
        if (prepared.againInMs > 0) pauses.push(prepared.againInMs);
        later(prepared.againInMs);
        prepared = await prepare(prepared.handle);
      }
      expect(created()).toBe(3);
      expect(Math.min(...pauses)).toBe(2_000);
      expect(Math.max(...pauses)).toBe(60_000);
      expect(prepared.kind).toBe('prepared');
      expect(standIn.violations).toEqual([]);
      expect(await publisher().look({ ...(await publishing().send()), sentAt: now })).toEqual({
        kind: 'not_there',
      });
    });

    it('creates a new container for one that expired before it was published', async () => {
      const { prepare, send } = publishing();
      const first = await prepare(null);
      state.containers[0]!.status = 'EXPIRED';
      const second = await prepare((first as { handle: Record<string, string> }).handle);
      expect(second).toMatchObject({ kind: 'preparing', handle: { container: '' } });
      await send();
      expect(state.published).toEqual([]);
    });

    it('refuses a post that the network could not process, with its reason', async () => {
      state.outcome = 'ERROR';
      await expect(publishing().send()).rejects.toThrow(
        `${network.name} could not process the post: `,
      );
    });

    it('gives up a file that is processed for more than an hour', async () => {
      state.processingPolls = Infinity;
      await expect(publishing().send()).rejects.toThrow('within an hour');
      expect(created()).toBe(1);
    });

    it('finds a post that was published without a response, by its container', async () => {
      const reply = {
        status: 400,
        json: { error: { message: 'x', code: 4, error_subcode: 2207051 } },
      };
      state.publishFault = { reply, takes: true };
      const { publisher, send } = publishing({ text: 'Same' });
      const twin = await send();
      await publisher().publish(twin);
      later(MINUTE);
      const sent = await send();
      expect(await publisher().publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
      // The list does not show the newer one yet.
      state.lagging = 2;
      expect(await publisher().look(sent)).toEqual({ kind: 'processing' });
      state.lagging = 0;
      expect(await publisher().look(sent)).toMatchObject({
        kind: 'live',
        remoteId: state.published[0]!.id,
      });
      state.lagging = 2;
      later(61 * MINUTE);
      expect(await publisher().look(sent)).toEqual({ kind: 'cannot_tell' });
    });

    it('publishes with a new container if the network does not find the first one', async () => {
      const json = { error: { message: 'Media not found', code: 24, error_subcode: notFound } };
      state.publishFault = { reply: { status: 400, json }, takes: false };
      const { publisher, send } = publishing();
      const sent = await send();
      expect(await publisher().publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
      expect(await publisher().look(sent)).toEqual({ kind: 'not_there' });
      later(3 * MINUTE);
      expect(await publisher().look(sent)).toEqual({ kind: 'not_there', isCompared: true });
    });

    it.each(['EXPIRED', 'ERROR', 'gone'] as const)(
      'compares the recent posts if the container is %s',
      async (fate) => {
        const { publisher, send } = publishing({ text: 'Fresh “beans”' });
        const sent = await send();
        const { id } = state.containers[0]!;
        await publisher().publish(sent);
        if (fate === 'gone') state.containers = [];
        else state.containers[0]!.status = fate;
        expect(await publisher().look(sent)).toMatchObject({ kind: 'live' });
        expect(
          await publisher().look({ ...sent, post: { ...sent.post, text: 'Other beans' } }),
        ).toEqual({ kind: 'not_there', isCompared: true });
        expect(id).toBe(sent.handle['container']);
      },
    );

    it('cannot tell if the list is full of newer posts', async () => {
      const { publisher, send } = publishing({ text: 'Lost' });
      const sent = await send();
      state.containers = [];
      state.published = Array.from({ length: 50 }, (_, index) => ({
        id: String(18_000 + index),
        timestamp: '2026-11-21T09:00:00+0000',
        container: '1',
        params: { text: `Post ${index}`, caption: `Post ${index}`, media_type: 'IMAGE' },
      }));
      expect(await publisher().look(sent)).toEqual({ kind: 'cannot_tell' });
    });

    it('waits as long as the network says before the account may call again', async () => {
      const usage = { '1': [{ type: 'x', call_count: 100, estimated_time_to_regain_access: 19 }] };
      const json = { error: { message: 'Too many calls', code: 80_002 } };
      state.publishFault = {
        reply: {
          status: 400,
          json,
          headers: { 'X-Business-Use-Case-Usage': JSON.stringify(usage) },
        },
        takes: false,
      };
      const { publisher, send } = publishing();
      expect(await publisher().publish(await send())).toEqual({
        ...failed('NETWORK_RATE_LIMITED', /Too many calls/),
        retryAfterMs: 19 * MINUTE,
      });
    });

    it('has published a post whose address cannot be read', async () => {
      const { publisher, send } = publishing();
      const sent = await send();
      standIn.injectFault(1, { status: 500, text: '' });
      expect(await publisher().publish(sent)).toEqual({
        kind: 'live',
        remoteId: expect.stringMatching(/^\d+$/),
        url: null,
      });
    });

    it('returns the account of the credentials', async () => {
      const adapter = network.adapter(
        createHttpClient({ allowLoopback: true, clock: { now: () => now } }),
        standIn.url,
      );
      expect(await adapter.check(network.credentials(standIn.url))).toEqual({
        kind: 'connected',
        ...network.account,
      });
      expect(standIn.violations).toEqual([]);
    });
  },
);

describe('instagram with its own login', () => {
  let state: ContainerState;
  let standIn: NetworkStandIn;
  beforeEach(async () => {
    state = aContainerState();
    standIn = await startInstagram(state);
  });
  afterEach(() => standIn.close());
  const clock = { now: () => NOW };
  const adapter = () =>
    instagramCase.adapter(createHttpClient({ allowLoopback: true, clock }), standIn.url);
  const own = { ...instagramCase.credentials(''), login: '' };

  it('returns the account of the token', async () => {
    expect(await adapter().check(own)).toMatchObject({ socialId: '1', type: 'profile' });
    expect(standIn.violations).toEqual([]);
  });

  it('refuses a login of another kind', async () => {
    expect(await adapter().check({ ...own, login: 'threads' })).toEqual(
      failed('NETWORK_NOT_CONNECTED', /login must be instagram or facebook/),
    );
    expect(standIn.requests).toEqual([]);
  });

  it('removes nothing, and says why', async () => {
    const account = { ...aPost().account!, network: 'instagram' as const };
    expect(
      await adapter().publisher!.remove({ account, credentials: own, remoteId: '1', postId: 'x' }),
    ).toEqual(failed('NETWORK_REFUSED', /only for accounts that are connected through/));
    expect(standIn.requests).toEqual([]);
  });

  it('finds a post by kind and time where the network leaves out its caption', async () => {
    const account = { ...aPost().account!, network: 'instagram' as const };
    const media = [anAttachment({ url: `${standIn.url}/elsewhere/beans.jpg` })];
    const post = aPost({ network: 'instagram', account, type: 'photo', media });
    const handle = { container: '17009', preparedAt: NOW.toISOString() };
    state.published = [
      { id: '18009', timestamp: NOW.toISOString(), container: '1', params: { image_url: 'x' } },
    ];
    const sent = { account, post, handle, sentAt: NOW };
    const look = (credentials: typeof own) => adapter().publisher!.look({ ...sent, credentials });
    expect(await look(own)).toMatchObject({ kind: 'live', remoteId: '18009' });
    expect(await look({ ...own, login: 'facebook' })).toEqual({
      kind: 'not_there',
      isCompared: true,
    });
  });
});
