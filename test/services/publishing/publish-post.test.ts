import type { Account, Post } from '../../../src/domain/posts/post.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { testPublishing, type TestPublishing } from '../../fixtures/publishing.js';

let publishing: TestPublishing;
let by: KeyedViewer;
let account: Account;
beforeAll(async () => {
  publishing = await testPublishing();
});
afterAll(() => publishing.database.drop());
beforeEach(async () => {
  by = await publishing.aViewer();
  account = await publishing.aSandboxAccount(by);
});

const texts = async (post: Post) =>
  (await publishing.deliveriesOf(post)).map(({ content }) => content.text);

describe('a post whose time has come', () => {
  test('is handed over once, and published on its network with its address', async () => {
    const post = await publishing.aDuePost({ by, account, text: 'Hello' });
    expect(await publishing.publicationOf(by, post)).toMatchObject({
      status: 'waiting',
      nextAttemptAt: post.scheduledAt,
      attempts: 0,
    });

    expect(await publishing.sweep()).toBe(1);
    expect(await publishing.sweep()).toBe(0);
    expect(await publishing.statusOf(by, post)).toBe('queued');
    expect(await publishing.runJobs()).toEqual([{ kind: 'completed', failures: [] }]);

    const stored = await publishing.storedPost(by, post.id);
    const [delivery] = await publishing.deliveriesOf(post);
    expect(await texts(post)).toEqual(['Hello']);
    expect(stored).toMatchObject({
      storedState: 'published_posted',
      version: post.version + 1,
      queuedAt: null,
      armedAt: null,
      remoteId: delivery!.id,
      postLink: `https://mastodon.sandbox.example/${account.id}/${delivery!.id}`,
    });
    expect(await publishing.publicationOf(by, post)).toEqual({
      status: 'published',
      remoteId: delivery!.id,
      url: stored.postLink,
      publishedAt: expect.any(Date),
      attempts: 1,
      nextAttemptAt: null,
      error: null,
    });
  });
});
