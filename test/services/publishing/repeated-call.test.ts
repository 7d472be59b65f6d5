import { createPublishing } from '../../../src/services/publishing/publish-post.js';
import { createTestHttpClient } from '../../networks/stand-ins/edit-requests.js';
import { linkedinCase } from '../../networks/stand-ins/linkedin.js';
import { urnAt, type LinkedinState } from '../../networks/stand-ins/linkedin-publication.js';
import type { NetworkStandIn } from '../../networks/stand-ins/network-case.js';
import { forEachTest } from '../../fixtures/lifecycle.js';
import { withPublishing } from '../../fixtures/publishing.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by, { network: 'linkedin' }));
let standIn: NetworkStandIn;
beforeEach(async () => {
  standIn = await linkedinCase.start();
});
afterEach(() => standIn.close());

const state = () => standIn.state() as LinkedinState;
const calls = () => standIn.requests.filter((request) => request === 'POST /rest/posts').length;

/** Runs the job of the post, on the account of a member, when the call before it is over. */
async function runJob(): Promise<void> {
  await publishing.letTimePass(2);
  const publish = createPublishing({
    ...publishing.dependencies,
    connect: async () => ({
      kind: 'connected' as const,
      account,
      adapter: linkedinCase.adapter(createTestHttpClient(), standIn.url),
      credentials: linkedinCase.credentials(standIn.url),
    }),
  });
  for (const run of await publishing.claim())
    await publishing.queue.settle(run, await publish(run));
}

/** A post whose first call was cut. The requests are counted from then on. */
async function aDoubtfulPost() {
  const post = await publishing.aDuePost({ by, account, text: 'Beans' });
  await publishing.sweep();
  standIn.injectFault(1, 'disconnect');
  await runJob();
  expect(await publishing.publicationOf(by, post)).toMatchObject({ status: 'sending' });
  standIn.injectFault(-1, 'disconnect');
  return post;
}

/** The body that the post is sent with, which LinkedIn compares. */
const CONTENT = JSON.stringify({
  ...(linkedinCase.publication!.cases[1]!.published as object),
  visibility: 'PUBLIC',
});

it('publishes a post that was not taken, with the same call once more', async () => {
  const post = await aDoubtfulPost();
  await runJob();
  expect(await publishing.publicationOf(by, post)).toMatchObject({ status: 'published' });
  expect(state().published).toHaveLength(1);
});

it('finds the post that was taken: LinkedIn refuses its duplicate, and names it', async () => {
  const post = await aDoubtfulPost();
  const urn = urnAt(new Date(), 7);
  state().contents.set(CONTENT, urn);
  await runJob();
  expect(await publishing.publicationOf(by, post)).toMatchObject({
    status: 'published',
    remoteId: urn,
  });
  expect(state().published).toEqual([]);
});

it('fails if LinkedIn names a post of before', async () => {
  const post = await aDoubtfulPost();
  state().contents.set(CONTENT, urnAt(new Date(Date.now() - 3_600_000), 7));
  await runJob();
  expect(await publishing.publicationOf(by, post)).toMatchObject({
    status: 'failed',
    error: { code: 'NETWORK_DUPLICATE' },
  });
});

it('leaves the post to a person if the second call does not tell either', async () => {
  const post = await aDoubtfulPost();
  standIn.injectFault(1, 'disconnect');
  await runJob();
  await runJob();
  expect(await publishing.publicationOf(by, post)).toMatchObject({
    error: { code: 'UNCONFIRMED' },
  });
  expect(calls()).toBe(1);
});

it('asks again with longer pauses while LinkedIn cannot be reached', async () => {
  const post = await aDoubtfulPost();
  standIn.injectFault(0, { status: 503, json: {} });
  await runJob();
  expect(await publishing.publicationOf(by, post)).toMatchObject({ status: 'sending' });
  expect(calls()).toBe(0);
});
