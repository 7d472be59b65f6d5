import { createPublishing } from '../../../src/services/publishing/publish-post.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { forEachTest } from '../../fixtures/lifecycle.js';
import { anAttachment } from '../../fixtures/posts.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { createTestHttpClient } from '../stand-ins/edit-requests.js';
import { aStatus, mastodonCase, startMastodon } from '../stand-ins/mastodon.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());

/** An instance that processes each file until it has been asked for this many times. */
async function anInstance(asked: number) {
  const state = aStatus();
  state.processingPolls = asked;
  const standIn = await startMastodon(state);
  const uploads = () => standIn.requests.filter((one) => one === 'POST /api/v2/media').length;
  return { standIn, state, uploads };
}

/** Runs the jobs that are due, each time as another process with clients of its own. */
async function runOnce(url: string): Promise<void> {
  const { dependencies, queue, claim, sql } = publishing;
  await sql("UPDATE job SET due_at = now() WHERE status = 'working' AND kind = 'publish'");
  const publish = createPublishing({
    ...dependencies,
    connect: async (account) => ({
      kind: 'connected',
      adapter: mastodonCase.adapter(createTestHttpClient(), url),
      account,
      credentials: mastodonCase.credentials(url),
    }),
  });
  for (const run of await claim()) await queue.settle(run, await publish(run));
}

async function aPhotoPost(url: string, pictures: number): Promise<Post> {
  const account = await publishing.anAccount({
    workspaceId: by.workspace.id,
    network: 'mastodon',
  });
  const media = [];
  for (let index = 0; index < pictures; index += 1) {
    const file = { workspaceId: by.workspace.id, url: `${url}/elsewhere/beans.png#${index}` };
    media.push(anAttachment({ ...file, ...(await publishing.aMedia(file)) }));
  }
  const post = await publishing.aDuePost({ by, account, type: 'photo', text: 'Beans', media });
  await publishing.sweep();
  return post;
}

test('each file is uploaded once, however long the instance processes it', async () => {
  const { standIn, state, uploads } = await anInstance(20);
  const post = await aPhotoPost(standIn.url, 2);
  for (let runs = 0; runs < 60 && state.published.length === 0; runs += 1)
    await runOnce(standIn.url);
  expect(await publishing.publicationOf(by, post)).toMatchObject({
    status: 'published',
    attempts: 1,
  });
  expect(state.published.map(({ sent }) => sent.media_ids)).toEqual([['71', '72']]);
  expect(uploads()).toBe(2);
  expect(standIn.violations).toEqual([]);
  await standIn.close();
});

test('what was prepared for a post is not used after a change of the post', async () => {
  const { standIn, state, uploads } = await anInstance(5);
  const post = await aPhotoPost(standIn.url, 1);
  await runOnce(standIn.url);
  expect(uploads()).toBe(1);
  await publishing.sql('UPDATE post SET version = version + 1 WHERE doc_id = $1', post.id);
  for (let runs = 0; runs < 60 && state.published.length === 0; runs += 1)
    await runOnce(standIn.url);
  expect(state.published.map(({ sent }) => sent.media_ids)).toEqual([['72']]);
  expect(uploads()).toBe(2);
  await standIn.close();
});
