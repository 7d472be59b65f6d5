import type { Credentials } from '../../../src/domain/networks/network-definition.js';
import { createHttpClient } from '../../../src/networks/http-client/http-client.js';
import { createPublishing } from '../../../src/services/publishing/publish-post.js';
import { forEachTest } from '../../fixtures/lifecycle.js';
import { withPublishing } from '../../fixtures/publishing.js';
import type { ContainerState } from '../../networks/stand-ins/meta-containers.js';
import type { NetworkCase, NetworkStandIn } from '../../networks/stand-ins/network-case.js';
import { threadsCase } from '../../networks/stand-ins/threads.js';
import { twitterCase, type TwitterState } from '../../networks/stand-ins/twitter.js';

/** What follows from answers of networks that only some of them give. */
const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
let standIn: NetworkStandIn;
afterEach(() => standIn.close());

/** What is prepared is older than any attempt, also after the time of attempts was changed. */
const http = createHttpClient({ allowLoopback: true, clock: { now: () => new Date(0) } });

/** Runs all jobs that are due, with a network's adapter. */
async function runJobs(network: NetworkCase): Promise<void> {
  const adapter = network.adapter(http, standIn.url);
  const credentials: Credentials = network.credentials(standIn.url);
  for (const run of await publishing.claim()) {
    const { post } = (await publishing.ledger.findSubject(run.postId!))!;
    const publish = createPublishing({
      ...publishing.dependencies,
      connect: async () => ({
        kind: 'connected' as const,
        account: { ...post.account!, socialId: '1' },
        adapter,
        credentials,
      }),
    });
    await publishing.queue.settle(run, await publish(run));
  }
}

const notifications = () =>
  publishing.sql<{ message: string }>('SELECT message FROM notification ORDER BY created_at');

test('a credit that is used up is the matter of the operator, who is named once', async () => {
  standIn = await twitterCase.start();
  const account = await publishing.aSandboxAccount(by, { network: 'twitter' });
  const posts = [
    await publishing.aDuePost({ by, account, text: 'One' }),
    await publishing.aDuePost({ by, account, text: 'Two' }),
  ];
  await publishing.sweep();
  const reply = { status: 402, json: { detail: 'Your credits are used up.' } };
  (standIn.state() as TwitterState).publishFault = { reply, takes: false };
  for (let run = 0; run < posts.length; run += 1) {
    await publishing.letTimePass(1);
    await runJobs(twitterCase);
  }
  for (const post of posts)
    expect(await publishing.publicationOf(by, post)).toMatchObject({
      status: 'failed',
      error: { code: 'NETWORK_FORBIDDEN', source: 'service', retryable: false },
    });
  expect(await notifications()).toEqual([
    { message: expect.stringContaining('Your credits are used up.') },
  ]);
});

test('an expired container counts after two answers, and the post is prepared anew', async () => {
  standIn = await threadsCase.start();
  const state = standIn.state() as ContainerState;
  state.processingPolls = 1;
  const account = await publishing.aSandboxAccount(by, { network: 'threads' });
  const post = await publishing.aDuePost({ by, account, text: 'Beans' });
  await publishing.sweep();
  const status = () => publishing.statusOf(by, post);
  // Created, finished, and published without an answer and without an effect.
  state.publishFault = { reply: { status: 503, json: {} }, takes: false };
  for (let run = 0; run < 3; run += 1) {
    await publishing.letTimePass(1);
    await runJobs(threadsCase);
  }
  expect(await status()).toBe('sending');
  state.publishFault = null;
  state.containers[0]!.status = 'EXPIRED';
  await publishing.letTimePass(1);
  await runJobs(threadsCase);
  expect(await status()).toBe('sending');
  expect(state.containers).toHaveLength(1);
  await publishing.letTimePass(3);
  await runJobs(threadsCase);
  expect(await status()).toBe('waiting');
  expect(state.published).toEqual([]);
  await publishing.letTimePass(10);
  await publishing.sweep();
  for (let run = 0; run < 4; run += 1) {
    await publishing.letTimePass(1);
    await runJobs(threadsCase);
  }
  expect(await status()).toBe('published');
  expect(state.containers).toHaveLength(2);
  expect(state.published).toMatchObject([{ container: state.containers[1]!.id }]);
});
