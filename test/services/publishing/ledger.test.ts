import type { Post } from '../../../src/domain/posts/post.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const copies = async (post: Post) => (await publishing.deliveriesOf(post)).length;
async function publish(post: Post) {
  await publishing.sweep();
  await publishing.runJobs();
  return publishing.publicationOf(by, post);
}
/** Lets the pauses end, and runs the jobs. */
async function runLater(minutes: number, post: Post) {
  await publishing.letTimePass(minutes);
  await publishing.runJobs();
  return publishing.publicationOf(by, post);
}

/** A post whose attempt was armed by a worker that then stopped: before the call, or after it. */
async function abandonedPost(called: 'before the call' | 'after the call'): Promise<Post> {
  const post = await publishing.aDuePost({ by, account, text: 'Once' });
  const { run, read } = await publishing.startAttempt(post);
  const guarantee = await publishing.deliveries.guaranteeOf(account.id);
  const handle = { key: `key of ${post.id}` };
  const sentAt = (await publishing.ledger.arm(run, read, { number: 1, guarantee, handle }))!;
  const sent = { account, credentials: {}, post: read, handle, sentAt };
  if (called === 'after the call') await publishing.sandbox.publisher!.publish(sent);
  await publishing.expireLease(run);
  return post;
}

describe('an attempt that was armed by a worker that stopped', () => {
  test.each(['before the call', 'after the call'] as const)(
    'on an exact network: the post is there once, if it stopped %s',
    async (moment) => {
      const post = await abandonedPost(moment);
      await publishing.runJobs();
      expect(await publishing.publicationOf(by, post)).toMatchObject({
        status: 'published',
        attempts: 1,
      });
      expect(await copies(post)).toBe(1);
    },
  );

  test('on a network that is compared: what it lists is published', async () => {
    await publishing.setGuarantee(account, 'compared');
    const post = await abandonedPost('after the call');
    await publishing.runJobs();
    expect(await publishing.statusOf(by, post)).toBe('published');
    expect(await copies(post)).toBe(1);
  });

  test('on a network that is compared: sent again only after two looks, two minutes apart', async () => {
    await publishing.setGuarantee(account, 'compared');
    const post = await abandonedPost('before the call');
    await publishing.runJobs(); // the call may still be in progress
    expect(await publishing.statusOf(by, post)).toBe('sending');
    expect(await runLater(1, post)).toMatchObject({ status: 'sending' }); // the first look
    expect(await runLater(1, post)).toMatchObject({ status: 'sending' }); // too early
    expect(await runLater(2, post)).toMatchObject({
      status: 'waiting',
      attempts: 1,
      error: { code: 'NOT_THERE' },
    });
    expect(await copies(post)).toBe(0);
    await publishing.letTimePass(60);
    expect(await publish(post)).toMatchObject({ status: 'published', attempts: 2 });
    expect(await copies(post)).toBe(1);
  });

  test('on a network that is compared: a post that the list shows late is not sent again', async () => {
    await publishing.setGuarantee(account, 'compared', 100);
    const post = await abandonedPost('after the call');
    await publishing.runJobs();
    expect(await runLater(1, post)).toMatchObject({ status: 'sending' });
    await publishing.sql(
      'UPDATE sandbox_delivery SET listed_at = now() WHERE post_doc_id = $1',
      post.id,
    );
    expect(await runLater(2, post)).toMatchObject({ status: 'published', attempts: 1 });
    expect(await copies(post)).toBe(1);
  });

  test.each(['before the call', 'after the call'] as const)(
    'on a network that cannot tell: unconfirmed, and never sent again, if it stopped %s',
    async (moment) => {
      await publishing.setGuarantee(account, 'cannot_tell');
      const post = await abandonedPost(moment);
      await publishing.runJobs();
      expect(await publishing.statusOf(by, post)).toBe('sending');
      expect(await runLater(1, post)).toMatchObject({
        status: 'unconfirmed',
        error: { code: 'UNCONFIRMED', retryable: false },
      });
      expect(await publishing.storedPost(by, post.id)).toMatchObject({
        storedState: 'failed',
        armedAt: null,
      });
      // it may be live: its slot of the daily cap is kept
      expect(
        await publishing.sql('SELECT FROM cap_slot WHERE post_id = $1', post.databaseId),
      ).toHaveLength(1);
      expect(await publishing.sweep()).toBe(0);
      expect(await copies(post)).toBe(moment === 'after the call' ? 1 : 0);
    },
  );

  test('before the attempt was armed: it goes on with the same attempt', async () => {
    const post = await publishing.aDuePost({ by, account });
    const { run } = await publishing.startAttempt(post);
    expect(await publishing.statusOf(by, post)).toBe('preparing');
    await publishing.expireLease(run);
    await publishing.runJobs();
    expect(await publishing.publicationOf(by, post)).toMatchObject({
      status: 'published',
      attempts: 1,
    });
  });
});

describe('a call that ends without a clear result', () => {
  test.each(['cut_after', 'error_after'] as const)('%s: the post is found', async (fault) => {
    const post = await publishing.aDuePost({ by, account });
    await publishing.failPublishing(post, fault);
    expect(await publish(post)).toMatchObject({ status: 'sending', attempts: 1 });
    await publishing.runJobs();
    expect(await publishing.statusOf(by, post)).toBe('published');
    expect(await copies(post)).toBe(1);
  });

  test('the sandbox clock shortens each wait of a post that is not on a compared network', async () => {
    await publishing.setGuarantee(account, 'compared');
    const post = await publishing.aDuePost({ by, account, text: 'Once' });
    await publishing.failPublishing(post, 'cut_before');
    const job = () =>
      publishing.sql<{ wait: number }>(
        "SELECT round(EXTRACT(epoch FROM due_at - now()))::int AS wait FROM job j WHERE status = 'working' AND post_id = $1",
        post.databaseId,
      );
    expect(await publish(post)).toMatchObject({ status: 'sending' });
    const waits: number[] = [];
    const wait = async (aheadSeconds: number): Promise<void> => {
      await publishing.sandboxStore.setClock(by.workspace.id, aheadSeconds, new Date());
      await publishing.runJobs();
      waits.push(...(await job()).map((row) => row.wait));
    };
    await wait(30); // the call is over, and the post is not there
    await wait(150); // said twice
    expect(waits).toEqual([120]);
    await publishing.sandboxStore.setClock(by.workspace.id, 200, new Date());
    expect(await publish(post)).toMatchObject({ status: 'published', attempts: 2 });
    expect(await copies(post)).toBe(1);
  });

  test('cut_after on a compared network: found after the sandbox clock moved, not an older equal one', async () => {
    await publishing.setGuarantee(account, 'compared');
    const [older, post] = [
      await publishing.aDuePost({ by, account, text: 'Equal' }),
      await publishing.aDuePost({ by, account, text: 'Equal', minutesAgo: -60 }),
    ];
    await publish(older);
    await publishing.sql(
      "UPDATE sandbox_delivery SET taken_at = taken_at - interval '1 minute' WHERE post_doc_id = $1",
      older.id,
    );
    await publishing.failPublishing(post, 'cut_before');
    await publishing.sandboxStore.setClock(by.workspace.id, 3_700, new Date());
    expect(await publish(post)).toMatchObject({ status: 'sending' });
    await publishing.sandboxStore.setClock(by.workspace.id, 7_400, new Date());
    await publishing.runJobs();
    expect(await publishing.statusOf(by, post)).toBe('sending');
  });

  test('cut_before on an exact network: sent again with the same handle', async () => {
    const post = await publishing.aDuePost({ by, account });
    await publishing.failPublishing(post, 'cut_before', 2);
    expect(await publish(post)).toMatchObject({ status: 'sending' });
    await publishing.runJobs(); // not there: sent again, cut again
    expect(await publishing.statusOf(by, post)).toBe('sending');
    expect(await runLater(1, post)).toMatchObject({ status: 'published', attempts: 1 });
    expect(await copies(post)).toBe(1);
  });

  test('that is cut each time: failed after the last look', async () => {
    const post = await publishing.aDuePost({ by, account });
    await publishing.failPublishing(post, 'cut_before', 100);
    await publish(post);
    for (let looks = 0; looks < 6; looks += 1) await runLater(60, post);
    expect(await publishing.publicationOf(by, post)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code: 'NETWORK_UNAVAILABLE', source: 'network', retryable: true },
    });
    expect(await copies(post)).toBe(0);
  });

  test.each(['exact', 'compared'] as const)(
    'a duplicate refusal of a post that is not there, on a network that is %s: failed',
    async (guarantee) => {
      await publishing.setGuarantee(account, guarantee);
      const post = await publishing.aDuePost({ by, account });
      await publishing.failPublishing(post, 'duplicate');
      await publish(post);
      for (const minutes of [1, 3]) await runLater(minutes, post);
      expect(await publishing.publicationOf(by, post)).toMatchObject({
        status: 'failed',
        error: { code: 'NETWORK_DUPLICATE', source: 'user', retryable: false },
      });
      expect(await copies(post)).toBe(0);
    },
  );
});
