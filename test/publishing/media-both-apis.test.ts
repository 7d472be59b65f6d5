import type { Account } from '../../src/domain/posts/post.js';
import { requestsOf } from '../fixtures/both-apis.js';
import { withGateway } from '../fixtures/gateway.js';
import { aPicture } from '../fixtures/media-files.js';
import { waitFor } from '../fixtures/wait-for.js';

let account: Account;
let api: ReturnType<typeof requestsOf>;
let picture: Buffer;
const gateway = withGateway();
beforeAll(async () => {
  const { records, owner } = gateway;
  account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
  api = requestsOf(gateway, owner);
  picture = await aPicture();
  gateway.startWorker();
});

/** Publishes a post now through v1. */
async function publishNow(text: string, content: object = { type: 'status' }) {
  const { body } = await gateway.v1('POST', '/posts/schedule/publish', {
    body: {
      bulk: {
        state: 'scheduled',
        posts: [{ networks: { default: { text, ...content } }, accounts: [{ id: account.id }] }],
      },
    },
  });
  const job = async () => (await gateway.v1('GET', `/job_status/${body.job_id}`)).body;
  return { id: (await job()).payload.posts[0].id as string, job };
}
/** A post that is published now, and whose file has not been sent. */
async function aPostWithoutFile() {
  const { mediaId, url } = await api.mutate(
    'createMediaUpload',
    { name: 'shop.png', bytes: picture.length },
    'mediaId url',
  );
  const media = [{ id: mediaId, type: 'image' }];
  return { mediaId, url, ...(await publishNow('Shop', { type: 'photo', media })) };
}

test('a post and its job wait for the file of the post', async () => {
  const { id, job, url } = await aPostWithoutFile();
  const other = await publishNow('Without a file');
  await waitFor(async () => (await other.job()).status === 'completed');
  const { graphql, v1 } = await api.show({ id });
  expect([graphql.publication.status, v1.state]).toEqual(['WAITING', 'scheduled']);
  expect((await job()).status).toBe('working');
  const { pathname } = new URL(url);
  const sent = await gateway.request(pathname, { method: 'PUT', body: new Uint8Array(picture) });
  expect(sent.status).toBe(200);
  await waitFor(async () => (await job()).status === 'completed');
  const published = await api.show({ id });
  expect(published.v1).toMatchObject({ state: 'published_posted', media: [{ type: 'photo' }] });
  expect((await job()).payload.posts).toMatchObject([
    { id, state: 'published_posted', post_link: published.graphql.postLink },
  ]);
});

test('a post whose file is not sent in time fails, and so does its job', async () => {
  const { id, job, mediaId } = await aPostWithoutFile();
  await gateway.db.pool.query(
    "UPDATE media_file SET upload_expires_at = now() - interval '1 second' WHERE media_id = $1",
    [mediaId],
  );
  await waitFor(async () => (await job()).status !== 'working');
  const { graphql, v1 } = await api.show({ id });
  expect([graphql.publication.error.code, v1.state]).toEqual(['MEDIA_FETCH_FAILED', 'failed']);
  const { status, payload } = await job();
  expect(status).toBe('failed');
  expect(payload.failures).toEqual({
    [account.id]: [expect.stringMatching(/^posts\[0\]: .*was not sent before/)],
  });
});
