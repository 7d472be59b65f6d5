import type { Post } from '../../src/domain/posts/post.js';
import { createBluesky } from '../../src/networks/bluesky/bluesky.js';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { anAttachment } from '../../test/fixtures/posts.js';
import { adapterPublishing } from './adapter-publishing.js';
import { testCredentials } from './connection-tests.js';
import { startPds, type PdsServer } from './pds-server.js';
import { startPictureServer, type PictureServer } from './picture-server.js';
import { testRealPublishing, type RealNetwork } from './publishing-tests.js';

let server: PdsServer;
let pictures: PictureServer;
beforeAll(async () => {
  [server, pictures] = await Promise.all([startPds(), startPictureServer()]);
});
afterAll(async () => {
  pictures?.close();
  await server?.stop();
});

/** The server, as workers publish on it. */
const pdsNetwork = (): RealNetwork => ({
  network: 'bluesky',
  accountType: 'profile',
  url: server.url,
  removes: true,
  publishingCall: /^POST \/xrpc\/com\.atproto\.repo\.putRecord$/,
  environment: { NODE_EXTRA_CA_CERTS: pictures.certificate },
  credentials: (service) => ({ service, handle: 'ada.test', appPassword: server.appPassword }),
  post: (marker) => ({
    type: 'photo',
    text: `Ada’s harvest 🫘 ${marker} #coffee`,
    media: [anAttachment({ url: pictures.url('beans.png', 'https'), altText: 'Beans' })],
  }),
  find: async (marker) =>
    (await server.posts())
      .filter(({ value }) => value.text.includes(marker))
      .map(({ uri }) => ({ remoteId: uri })),
});

describe('the adapter', () => {
  const clock = { time: new Date(), now: () => clock.time };
  const adapter = createBluesky(createHttpClient({ allowLoopback: true, clock }));
  const credentials = () => ({
    service: server.url,
    handle: '@ada.test',
    appPassword: server.appPassword,
  });
  const publishing = () => adapterPublishing('bluesky', adapter, credentials());
  const readRecord = async (remoteId: string) =>
    (await server.posts()).find(({ uri }) => uri === remoteId)?.value;

  it('returns the account of the credentials, and rejects a wrong password', async () => {
    expect(await adapter.check(credentials())).toEqual({
      kind: 'connected',
      socialId: server.did,
      name: 'ada.test',
      type: 'profile',
      picture: null,
    });
    expect(await adapter.check({ ...credentials(), appPassword: 'aaaa-bbbb-cccc-dddd' })).toEqual({
      kind: 'failed',
      code: 'NETWORK_REAUTHORIZATION_NEEDED',
      message: expect.stringMatching(/^Bluesky rejected the account’s credentials/),
    });
  });

  it('publishes a text with links, mentions and hashtags at their bytes', async () => {
    const { publisher, prepare, publish, lookWithoutAttempt } = publishing();
    const text =
      'Grüße 🫘 an @ada.test und @nobody.test: (https://kiosk.example/ä?b=1), #Kaffee! #2026';
    const sent = await prepare({ type: 'status', text, details: { language: 'de' } });
    expect(await publisher.look(sent)).toEqual({ kind: 'not_there' });
    const live = await publish(sent);
    expect(live.remoteId).toMatch(
      new RegExp(`^at://${server.did}/app\\.bsky\\.feed\\.post/[2-7a-z]{13}$`),
    );
    expect(await publisher.look(sent)).toEqual(live);
    expect(await lookWithoutAttempt(sent)).toEqual(live);
    const record = await readRecord(live.remoteId);
    expect(record).toMatchObject({ $type: 'app.bsky.feed.post', text, langs: ['de'] });
    const bytes = Buffer.from(text);
    expect(
      record.facets.map(({ index, features: [feature] }: any) => [
        bytes.subarray(index.byteStart, index.byteEnd).toString(),
        feature.uri ?? feature.did ?? feature.tag,
      ]),
    ).toEqual([
      ['@ada.test', server.did],
      ['https://kiosk.example/ä?b=1', 'https://kiosk.example/ä?b=1'],
      ['#Kaffee', 'Kaffee'],
    ]);
  });

  it('creates one record however often the call is repeated', async () => {
    const { publisher, prepare, publish } = publishing();
    const sent = await prepare({ type: 'status', text: 'repeated' });
    const live = await publish(sent);
    expect(await publisher.publish(sent)).toEqual(live);
    const changed = { ...sent, post: { ...sent.post, text: 'repeated, but changed' } };
    expect(await publisher.publish(changed)).toEqual(live);
    expect((await server.posts()).filter(({ value }) => /repeated/.test(value.text))).toHaveLength(
      1,
    );
    expect(await readRecord(live.remoteId)).toMatchObject({ text: 'repeated' });
  });

  it.each<[string, () => Partial<Post>, object]>([
    [
      'a link with its card',
      () => ({
        type: 'link',
        text: '',
        url: 'https://kiosk.example/a',
        link: { title: 'Kiosk', description: 'Beans' },
      }),
      { external: { uri: 'https://kiosk.example/a', title: 'Kiosk', description: 'Beans' } },
    ],
    [
      'pictures with their descriptions',
      () => ({
        type: 'photo',
        text: 'pictured',
        media: ['one', 'two'].map((altText) =>
          anAttachment({ url: pictures.url('b.png'), altText }),
        ),
      }),
      {
        images: ['one', 'two'].map((alt) => ({ alt, image: { mimeType: 'image/png' } })),
      },
    ],
  ])('publishes %s, and removes it', async (_name, content, embed) => {
    const { publisher, prepare, publish, remove } = publishing();
    const sent = await prepare(content());
    const { remoteId } = await publish(sent);
    expect(await readRecord(remoteId)).toMatchObject({ embed });
    for (let times = 0; times < 2; times += 1)
      expect(await remove(remoteId)).toEqual({ kind: 'removed' });
    expect(await publisher.look(sent)).toEqual({ kind: 'not_there' });
  });

  it('renews its session before the token ends, and replaces tokens that are refused', async () => {
    const { publisher, prepare } = publishing();
    const sent = await prepare({ type: 'status', text: 'later' });
    const { time } = clock;
    // the token of the session ends after two hours by the clock of the service
    clock.time = new Date(time.getTime() + 115 * 60_000);
    expect(await publisher.look(sent)).toEqual({ kind: 'not_there' });
    clock.time = time;
    expect(await publisher.look(sent)).toEqual({ kind: 'not_there' });
  });
});

describe('credentials', () => testCredentials(pdsNetwork));
describe('publication by workers', () => testRealPublishing(pdsNetwork));
