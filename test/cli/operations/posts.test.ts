import { toAnalytics } from '../../../src/domain/numbers/numbers.js';
import { anOperator } from '../../fixtures/operator.js';
import { withServices } from '../../fixtures/services.js';

const shop = withServices();
const { cli } = anOperator(() => ({ DATABASE_URL: shop.database.url }));
const READ_AT = new Date('2026-11-21T10:00:00Z');

it('posts numbers lists posts by engagement, and when their metrics are read next', async () => {
  const by = await shop.aViewer();
  const { id: workspaceId } = by.workspace;
  const account = await shop.anAccount({ workspaceId, network: 'mastodon' });
  const post = (counted: object) =>
    shop.aPost({
      by,
      account,
      storedState: 'published_posted',
      scheduledAt: new Date('2026-11-20T09:30:00Z'),
      analytics: toAnalytics(counted, READ_AT),
    });
  const some = await post({ likes: 2, comments: 1 });
  const most = await post({ likes: 30, shares: 4, reach: 900 });
  await post({ reach: 5 });
  const list = (...more: string[]) => cli('posts', 'numbers', '--workspace', workspaceId, ...more);
  await shop.database.pool.query(
    "INSERT INTO post_analytics_schedule VALUES ($1, $2, now(), '2026-11-22T09:30:00Z')",
    [most.databaseId, account.id],
  );

  const { out } = await list();
  expect(out.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    [
      'id',
      'network',
      'scheduled',
      'engagement',
      'likes',
      'comments',
      'shares',
      'reach',
      'read',
      'next',
    ],
    [
      most.id,
      'mastodon',
      '2026-11-20 09:30Z',
      '34',
      '30',
      '–',
      '4',
      '900',
      '2026-11-21 10:00Z',
      '2026-11-22 09:30Z',
    ],
    [some.id, 'mastodon', '2026-11-20 09:30Z', '3', '2', '1', '–', '–', '2026-11-21 10:00Z', '–'],
  ]);
  expect(
    JSON.parse(
      (await cli('--json', 'posts', 'numbers', '--workspace', workspaceId, '--limit', '1')).out,
    ),
  ).toEqual([expect.objectContaining({ id: most.id, engagement: 34, reach: 900 })]);
  const other = await shop.aWorkspace();
  expect((await cli('posts', 'numbers', '--workspace', other.id)).out).toBe(
    'No metrics of published posts have been read yet.',
  );
  expect(await cli('posts', 'numbers', '--workspace', 'wks_none')).toMatchObject({ code: 1 });
});
