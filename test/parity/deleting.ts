import type { Post } from '../../src/domain/posts/post.js';
import { UNKNOWN, type Scenario } from './scenario.js';
import { inDays } from './environment.js';

/** Scenarios of deletions. */
export const DELETING: readonly Scenario[] = [
  [
    'a deletion by either id, with both ids of one post',
    ['ok', 'POST_NOT_FOUND', 'POST_NOT_FOUND'],
    async ({ owner, post, remove, get }) => {
      const olga = await owner();
      const one = await post(olga);
      await remove(olga, [String(one.databaseId), one.id]);
      await remove(olga, [one.id]);
      await get(olga, one.id);
    },
  ],
  [
    'a deletion of posts with and without rights',
    ['ok'],
    async ({ owner, member, post, remove }) => {
      const [olga, other] = [await owner(), await owner()];
      const mia = await member(olga, 'editor');
      const ids = [
        await post(mia),
        await post(olga),
        await post(other),
        await post(mia, { queuedAt: inDays(0) }),
        await post(mia, { queuedAt: inDays(0), reminder: true, details: { reminder: true } }),
      ].map(({ id }) => id);
      await remove(mia, [...ids, UNKNOWN, 'nonsense']);
    },
  ],
  [
    'a deletion without any deletable post',
    ['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'POST_NOT_FOUND', 'BAD_USER_INPUT', 'BAD_USER_INPUT'],
    async ({ owner, member, post, remove }) => {
      const olga = await owner({ requiresApproval: true });
      const mia = await member(olga, 'editor', true);
      await remove(mia, [(await post(mia, { storedState: 'published_posted' })).id, UNKNOWN]);
      await remove(await member(olga, 'viewer'), [(await post(olga)).id]);
      await remove(olga, [(await post(mia, { storedState: 'draft_private_undated' })).id]);
      await remove(olga, [UNKNOWN, '7777777']);
      await remove(olga, []);
      await remove(
        olga,
        Array.from({ length: 101 }, (_, index) => String(index + 1)),
      );
    },
  ],
  [
    'a deletion on networks: of published posts, drafts and posts that cannot be removed',
    ['ok', 'ok', 'FORBIDDEN', 'ok'],
    async ({ owner, account, post, remove }) => {
      const olga = await owner();
      const sandbox = await account(olga, { sandbox: true });
      const tiktok = await account(olga, { network: 'tiktok' });
      const storedState = 'published_posted';
      const ids = [
        await post(olga, { account: sandbox, storedState }),
        await post(olga, { account: sandbox, storedState: 'draft_undated' }),
        await post(olga, { account: tiktok, storedState, remoteId: '1' }),
      ].map(({ id }) => id);
      await remove(olga, [...ids, UNKNOWN], { onNetwork: true, dryRun: true });
      await remove(olga, [...ids, UNKNOWN], { onNetwork: true });
      await remove(olga, [ids[2]!, ids[1]!], { onNetwork: true });
      await remove(olga, [(await post(olga, { storedState: 'draft_undated' })).id], {
        onNetwork: true,
      });
    },
  ],
  [
    'a deletion of a pending post notifies its creator',
    ['ok'],
    async ({ owner, member, post, remove }) => {
      const olga = await owner();
      await remove(olga, [
        (
          await post(await member(olga, 'editor'), {
            storedState: 'scheduled_pending',
            text: 'Waiting',
          })
        ).id,
      ]);
    },
  ],
  [
    'a deletion of a series, without and with a queued child',
    ['ok', 'FORBIDDEN'],
    async ({ owner, account, post, remove }) => {
      const olga = await owner();
      const here = await account(olga);
      const aSeries = async (child: Partial<Pick<Post, 'queuedAt'>>): Promise<string> => {
        const series = await post(olga, {
          account: here,
          storedState: 'recurring',
          recurring: { repeat: 'daily', startDate: '2030-06-10T08:00:00Z' },
          scheduledAt: inDays(1),
        });
        await post(olga, {
          account: here,
          parentId: series.databaseId,
          scheduledAt: inDays(1),
          ...child,
        });
        await post(olga, {
          account: here,
          parentId: series.databaseId,
          storedState: 'published_posted',
        });
        return series.id;
      };
      await remove(olga, [await aSeries({})]);
      await remove(olga, [await aSeries({ queuedAt: inDays(0), hasQueuedChild: true } as never)]);
    },
  ],
  [
    'a deletion as a dry run, and twice with one idempotency key',
    ['ok', 'ok', 'ok', 'IDEMPOTENCY_MISMATCH'],
    async ({ owner, post, remove }) => {
      const olga = await owner();
      const [one, other] = [await post(olga), await post(olga)];
      await remove(olga, [one.id], { dryRun: true });
      await remove(olga, [one.id, UNKNOWN], { key: 'k' });
      await remove(olga, [one.id, UNKNOWN], { key: 'k' });
      await remove(olga, [other.id], { key: 'k' });
    },
  ],
];
