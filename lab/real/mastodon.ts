import type { Post } from '../../src/domain/posts/post.js';
import type { Attachment } from '../../src/domain/posts/post-content.js';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { createMastodon } from '../../src/networks/mastodon/mastodon.js';
import { systemClock } from '../../src/services/clock.js';
import { anAttachment } from '../../test/fixtures/posts.js';
import { adapterPublishing } from './adapter-publishing.js';
import { testConsentInBrowser } from './connection-tests.js';
import { startPictureServer, type PictureServer } from './picture-server.js';
import { testRealPublishing, type RealNetwork } from './publishing-tests.js';
import { startSnac, type SnacServer } from './snac-server.js';

let server: SnacServer;
let pictures: PictureServer;
beforeAll(async () => {
  [server, pictures] = await Promise.all([startSnac(), startPictureServer()]);
});
afterAll(async () => {
  pictures?.close();
  await server?.stop();
});

const aPicture = (scheme: 'http' | 'https', altText: string): Attachment =>
  anAttachment({ url: pictures.url('beans.png', scheme), altText });

/** The server, as workers publish on it. */
const snacNetwork = (): RealNetwork => ({
  network: 'mastodon',
  accountType: 'profile',
  url: server.url,
  removes: false,
  publishingCall: /^POST \/api\/v1\/statuses$/,
  environment: { NODE_EXTRA_CA_CERTS: pictures.certificate },
  credentials: (instance) => ({ instance, accessToken: server.accessToken }),
  post: (marker) => ({
    type: 'photo',
    text: `Ada's “harvest” & *roast* ${marker}\n\nhttps://kiosk.example/a?b=1&c=2 #coffee`,
    media: [aPicture('https', 'Beans')],
  }),
  find: async (marker) =>
    (await server.statuses())
      .filter(({ content }) => content.includes(marker))
      .map(({ id }) => ({ remoteId: id })),
});

describe('the adapter', () => {
  const adapter = createMastodon(createHttpClient({ allowLoopback: true, clock: systemClock }));
  const credentials = () => ({ instance: server.url, accessToken: server.accessToken });
  const publishing = () => adapterPublishing('mastodon', adapter, credentials());

  it('returns the account of the credentials', async () => {
    expect(await adapter.check(credentials())).toMatchObject({
      kind: 'connected',
      name: `@ada@${new URL(server.url).host}`,
      type: 'profile',
    });
  });

  it.each<[string, () => Partial<Post>]>([
    ['a status', () => ({ type: 'status', text: 'Ada’s <b>beans</b> :-) & *more* @ada #Coffee' })],
    ['a link', () => ({ type: 'link', text: 'Read', url: 'https://kiosk.example/a?b=1&c=2' })],
    ['a picture', () => ({ type: 'photo', text: '', media: [aPicture('http', 'Beans')] })],
  ])('publishes and finds %s, and never takes an earlier one for it', async (_name, content) => {
    const { publisher, prepare, publish, lookWithoutAttempt } = publishing();
    const ids: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      const sent = await prepare(content());
      expect(await publisher.look(sent)).toEqual({ kind: 'not_there' });
      const live = await publish(sent);
      expect(live).toEqual({
        kind: 'live',
        remoteId: expect.stringMatching(/^\w+$/),
        url: expect.stringContaining(`${server.url}/ada/p/`),
      });
      expect(await publisher.look(sent)).toEqual(live);
      expect(await lookWithoutAttempt(sent)).toEqual(live);
      ids.push(live.remoteId);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('uploads a picture with its description', async () => {
    const { prepare, publish } = publishing();
    const sent = await prepare({
      type: 'photo',
      text: 'pictured',
      media: [aPicture('http', 'Two beans')],
    });
    await publish(sent);
    const [status] = (await server.statuses()).filter(({ content }) =>
      content.includes('pictured'),
    );
    expect(status.media_attachments).toMatchObject([{ type: 'image', description: 'Two beans' }]);
  });

  it('edits a published status', async () => {
    const { prepare, publish } = publishing();
    const sent = await prepare({ type: 'status', text: 'first version' });
    const { remoteId } = await publish(sent);
    const post = { ...sent.post, text: 'second version' };
    expect(
      await adapter.edit({ ...sent, post, remoteId, changed: new Set(['text'] as const) }),
    ).toEqual({ kind: 'edited' });
    expect((await server.statuses())[0].content).toContain('second version');
  });

  it('reports that the server cannot delete a status', async () => {
    const { prepare, publish, remove } = publishing();
    const sent = await prepare({ type: 'status', text: 'kept' });
    const { remoteId } = await publish(sent);
    expect(await remove(remoteId)).toMatchObject({ kind: 'failed' });
  });
});

describe('consent', () =>
  testConsentInBrowser(
    () => ({
      networkName: 'Mastodon',
      accountName: `@ada@${new URL(server.url).host}`,
      find: snacNetwork().find,
      page: {
        field: 'Address of your instance',
        server: server.url,
        allow: async (page) => {
          await page.locator('input[name="login"]').fill('ada');
          await page.locator('input[name="passwd"]').fill(server.password);
          await page.keyboard.press('Enter');
        },
        deny: null,
      },
    }),
    'STATUS',
  ));

describe('publication by workers', () => testRealPublishing(snacNetwork));
