import type { Post } from '../../src/domain/posts/post.js';
import { type Scenario } from './scenario.js';
import { inDays } from './environment.js';

/** Scenarios of updates: published posts, series, approval and caps. */
export const UPDATE_STATES: readonly Scenario[] = [
  [
    'a published post: fields that its network allows',
    ['ok', 'ok', 'ok'],
    async ({ owner, account, post, update, get }) => {
      const olga = await owner();
      const one = await post(olga, {
        storedState: 'published_posted',
        account: await account(olga, { network: 'youtube', type: 'channel' }),
        type: 'video',
        title: 'Old',
      });
      await update(olga, one.id, {
        title: 'New',
        text: 'Description',
        labels: [{ name: 'video' }],
      });
      await update(olga, one.id, { labels: [] });
      await get(olga, one.id);
    },
  ],
  [
    'a published post: fields that its network does not allow',
    ['RULE_VIOLATION', 'RULE_VIOLATION', 'RULE_VIOLATION', 'RULE_VIOLATION'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const on = async (
        network: 'youtube' | 'facebook' | 'pinterest',
        storedState: Post['storedState'] = 'published_posted',
      ) => (await post(olga, { storedState, account: await account(olga, { network }) })).id;
      await update(olga, await on('youtube'), {
        title: 'x'.repeat(101),
        tags: ['x'],
        featuredMedia: null,
      });
      await update(olga, await on('facebook'), {
        title: 'Only videos have one',
        details: { textFormatPresetId: '1', autoAddMusic: true },
      });
      await update(olga, await on('pinterest'), { text: 'x', labels: [] });
      await update(olga, await on('facebook', 'published_hidden'), { text: 'x' });
    },
  ],
  [
    'a post that is being sent: only labels change, and it stays',
    ['PUBLISHING', 'PUBLISHING', 'ok', 'PUBLISHING'],
    async ({ owner, post, update, remove }) => {
      const olga = await owner();
      const { id } = await post(olga, { queuedAt: inDays(0), armedAt: inDays(0) });
      await update(olga, id, { text: 'Later' });
      await update(olga, id, { type: 'link' }, { dryRun: true });
      await update(olga, id, { labels: [{ name: 'sent' }] });
      await remove(olga, [id]);
    },
  ],
  [
    'a series: edits apply to its children',
    ['ok', 'ok', 'ok', 'ok'],
    async ({ owner, account, post, update, list }) => {
      const olga = await owner();
      const here = await account(olga, { network: 'linkedin' });
      const one = await post(olga, { account: here, scheduledAt: inDays(1) });
      await update(olga, one.id, {
        recurring: { repeat: 'daily', endDate: '2030-06-16', daysOfWeek: [0, 1, 2, 3, 4, 5, 6] },
      });
      await update(olga, one.id, { text: 'All', labels: [{ name: 'series' }] });
      await update(olga, one.id, { recurring: { repeat: 'weekly', endDate: '2030-07-30' } });
      await list(olga, { states: ['recurring'] });
    },
  ],
  [
    'a child of a series with its own changes',
    ['ok', 'ok'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const here = await account(olga);
      const recurring = {
        repeat: 'daily' as const,
        repeatRate: 1,
        startDate: '2030-06-13T08:00:00Z',
        endDate: '2030-06-14T22:00:00Z',
      };
      const series = await post(olga, {
        account: here,
        storedState: 'recurring',
        recurring,
        scheduledAt: inDays(1),
      });
      const child = await post(olga, {
        account: here,
        parentId: series.databaseId,
        scheduledAt: inDays(1),
      });
      await post(olga, { account: here, parentId: series.databaseId, scheduledAt: inDays(2) });
      await update(olga, child.id, { text: 'Own' });
      await update(olga, series.id, { text: 'All', title: 'Title' });
    },
  ],
  [
    'a recurrence rule on a post that cannot have one',
    ['RULE_VIOLATION', 'RULE_VIOLATION'],
    async ({ owner, post, update }) => {
      const olga = await owner();
      await update(olga, (await post(olga, { storedState: 'failed' })).id, {
        recurring: { repeat: 'daily' },
      });
      await update(olga, (await post(olga)).id, { recurring: { endDate: '2030-07-01' } });
    },
  ],
  [
    'a workspace that requires approval',
    ['ok', 'ok', 'ok', 'ok', 'APPROVAL_REQUIRED'],
    async ({ owner, member, account, post, update }) => {
      const olga = await owner({ requiresApproval: true });
      const mia = await member(olga, 'editor');
      await member(olga, 'admin');
      const one = await post(mia);
      await update(mia, one.id, { labels: [{ name: 'free' }] });
      await update(mia, one.id, { text: 'Please' });
      await update(
        mia,
        (
          await post(mia, {
            storedState: 'recycling_active',
            recycling: { gap: 1, gapFreq: 'days' },
          })
        ).id,
        { text: 'Please' },
      );
      await update(olga, one.id, { text: 'Mine' });
      await update(
        mia,
        (
          await post(mia, {
            storedState: 'published_posted',
            account: await account(olga, { network: 'linkedin' }),
          })
        ).id,
        { text: 'Not so' },
      );
    },
  ],
  [
    'an exceeded daily cap',
    ['DAILY_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED'],
    async ({ owner, member, account, post, update }) => {
      const olga = await owner({ plan: 'free' });
      const mia = await member(olga, 'admin');
      const here = await account(olga, { network: 'youtube', type: 'channel' });
      for (let count = 0; count < 5; count++)
        await post(mia, { account: here, type: 'video', scheduledAt: inDays(2) });
      const one = await post(mia, { account: here, type: 'video', scheduledAt: inDays(1) });
      await update(mia, one.id, {
        recycling: { gap: 1, gapFreq: 'days', expireCount: 1 },
        text: 'Again',
      });
      await update(
        mia,
        one.id,
        { recurring: { repeat: 'daily', endDate: '2030-06-20' } },
        { dryRun: true },
      );
    },
  ],
];
