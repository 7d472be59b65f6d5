import type { NetworkClient } from '../../src/networks/http-client/network-client.js';
import { createPublisher } from '../../src/networks/publisher.js';
import type { SentPost } from '../../src/services/networks/network-ports.js';
import { anAttachment, aPost } from '../fixtures/posts.js';

/** A publisher that remembers what it was called with, and which files were made before. */
function aPublisher() {
  const calls: string[] = [];
  const note = (call: string, { post }: Pick<SentPost, 'post'>) =>
    calls.push(...post.media.map(({ url }) => `${call} ${url}`));
  const client = {
    openStoredMedia: async ({ url }: { url: string }) => {
      calls.push(`make ${url}`);
      return null;
    },
  } as unknown as NetworkClient;
  const publisher = createPublisher(
    {
      connect: async () => client,
      prepare: async (_api, target) => {
        note('prepare', target);
        return { container: '1' };
      },
      publish: async (_api, sent) => {
        note('publish', sent);
        return { kind: 'live' as const, remoteId: '1', url: null };
      },
      look: async () => ({ kind: 'not_there' as const }),
      remove: async () => undefined,
    },
    async (credentials, _remoteId, work) => work(client, credentials),
  );
  return { publisher, calls };
}

const URL = 'https://gateway.example/media/med_1/token';
const account = { ...aPost().account!, network: 'instagram' as const };
const post = aPost({
  network: 'instagram',
  type: 'photo',
  account,
  media: [anAttachment({ id: 'med_1', url: URL })],
  mediaFiles: [
    {
      mediaId: 'med_1',
      contentType: 'image/png',
      bytes: 1_000,
      size: { width: 500, height: 500 },
      video: null,
    },
  ],
});
const target = { account, credentials: {}, post };

it('a network gets the address of a picture that was made before', async () => {
  const { publisher, calls } = aPublisher();
  const prepared = await publisher.prepare(target, null);
  expect(prepared).toMatchObject({ kind: 'prepared', guarantee: 'exact' });
  await publisher.publish({ ...target, handle: { container: '1' }, sentAt: new Date() });
  expect(calls).toEqual([`make ${URL}/jpeg`, `prepare ${URL}/jpeg`, `publish ${URL}/jpeg`]);
});

it('what was prepared already goes on with the same picture', async () => {
  const { publisher, calls } = aPublisher();
  await publisher.prepare(target, { container: '1' });
  expect(calls).toEqual([`prepare ${URL}/jpeg`]);
});
