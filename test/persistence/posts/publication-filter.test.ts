import { enumKeys } from '../../../src/domain/enums.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { PostFilter } from '../../../src/domain/posts/post-query.js';
import {
  PUBLICATION_STATUSES,
  type PublicationStatus,
} from '../../../src/domain/publishing/publication-record.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

let posts: Record<string, Post>;
const publishing = withPublishing();
const by = forAllTests(() => publishing.aViewer());
beforeAll(async () => {
  const account = await publishing.aSandboxAccount(by);
  const aPost = (text: string, minutesAgo = 0) =>
    publishing.aDuePost({ by, account, text, minutesAgo });
  const publish = async (): Promise<void> => {
    await publishing.sweep();
    await publishing.runJobs();
  };

  const [published, failed, missed] = [await aPost('1'), await aPost('2'), await aPost('3', 120)];
  await publishing.failPublishing(failed, 'refuse');
  await publish();
  await publishing.setGuarantee(account, 'cannot_tell');
  const unconfirmed = await aPost('4');
  await publishing.failPublishing(unconfirmed, 'cut_after');
  await publish();
  await publishing.letTimePass(120);
  await publishing.runJobs();
  await publishing.setGuarantee(account, 'exact');

  const preparing = await aPost('5');
  await publishing.startAttempt(preparing);
  const sending = await aPost('6');
  const { run, read } = await publishing.startAttempt(sending);
  await publishing.ledger.arm(run, read, { number: 1, guarantee: 'exact', handle: { key: 'k' } });
  const processing = await aPost('7');
  const other = await publishing.startAttempt(processing);
  await publishing.ledger.arm(other.run, other.read, {
    number: 1,
    guarantee: 'exact',
    handle: { key: 'l' },
  });
  await publishing.ledger.recordLook(other.run, processing.databaseId, { isProcessing: true });
  const queued = await aPost('8');
  await publishing.sweep();
  const waiting = await aPost('9', -60);
  const draft = await publishing.aPost({ by, text: '10', storedState: 'draft_undated' });
  posts = {
    published,
    failed,
    missed,
    unconfirmed,
    preparing,
    sending,
    processing,
    queued,
    waiting,
    draft,
  };
});

async function listed(filter: PostFilter): Promise<string[]> {
  const page = await publishing.store.list(
    by,
    {
      filter,
      order: { field: 'created_at', direction: 'asc' },
      slice: { kind: 'window', limit: 50, fromEnd: false },
    },
    { fields: new Set(), totalCount: true, facets: true, items: true },
  );
  const names = new Map(Object.entries(posts).map(([name, { id }]) => [id, name]));
  expect(page.totalCount).toBe(page.posts.length);
  return page.posts.map(({ id }) => names.get(id)!).sort();
}

test.each(enumKeys<PublicationStatus>(PUBLICATION_STATUSES))(
  'finds posts whose publication is %s',
  async (status) => {
    expect((await publishing.publicationOf(by, posts[status]!))?.status).toBe(status);
    expect(await listed({ publication: [status] })).toEqual([status]);
  },
);

test('finds posts with any of several statuses, and combines them with other filters', async () => {
  expect(await listed({ publication: ['failed', 'missed'] })).toEqual(['failed', 'missed']);
  expect(await listed({ publication: ['queued', 'published'] })).toEqual(['published', 'queued']);
  expect(await listed({ publication: ['failed'], states: ['draft'] })).toEqual([]);
  expect(await listed({ publication: [] })).toHaveLength(10);
});

test('finds only posts of the workspace', async () => {
  const stranger = await publishing.aViewer();
  for (const publication of [['failed'], ['sending'], ['published']] as const) {
    const { totalCount } = await publishing.store.list(
      stranger,
      {
        filter: { publication },
        order: { field: 'scheduled_at', direction: 'desc' },
        slice: { kind: 'page', page: 0, perPage: 10 },
      },
      { fields: new Set(), totalCount: true, facets: false, items: false },
    );
    expect(totalCount).toBe(0);
  }
});
