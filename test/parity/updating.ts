import type { Post } from '../../src/domain/posts/post.js';
import { UNKNOWN, type Scenario } from './scenario.js';
import { inDays } from './stage.js';

/** Scenarios of changes. */
export const UPDATING: readonly Scenario[] = [
  [
    'an update of many fields of a scheduled post',
    ['ok', 'ok'],
    async ({ owner, account, post, update, get }) => {
      const olga = await owner();
      const one = await post(olga, {
        account: await account(olga, { network: 'instagram', type: 'business' }),
        type: 'photo',
      });
      await update(olga, one.id, {
        type: 'carousel',
        text: 'New',
        title: 'Title',
        excerpt: 'Short',
        options: ['a', 'b'],
        tags: ['x'],
        categories: ['y'],
        location: { id: 'l1', name: 'Here' },
        details: { comment: true, sponsor: { name: 'Ada' } },
        link: { url: 'https://example.com/l', callToAction: 'Book', originalTitle: 'Page' },
        media: [
          {
            path: 'https://example.com/a.mp4',
            caption: 'A film',
            userTags: [{ name: 'ada', x: 0.5, y: 1 }],
          },
        ],
        sublinks: [{ url: 'https://example.com/s', originalImages: ['https://example.com/s.png'] }],
        recycling: { gap: 1, gapFreq: 'months', expireCount: 2 },
        content: [{ type: 'paragraph', data: { text: 'Hi', someKey: [1] } }],
      });
      await get(olga, one.id);
    },
  ],
  [
    'a merge, key by key, and null that clears',
    ['ok', 'ok', 'ok'],
    async ({ owner, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        type: 'link',
        url: 'https://example.com/a',
        link: { title: 'T', description: 'D' },
        title: 'Old',
        details: { comment: true, duet: false },
      });
      await update(olga, one.id, { link: { title: 'New' }, details: { duet: true } });
      await update(olga, one.id, { link: { description: null }, title: null, text: null });
      await update(olga, one.id, { link: null, details: null });
    },
  ],
  [
    'an update that says nothing new',
    ['ok', 'ok'],
    async ({ owner, post, update }) => {
      const olga = await owner();
      const one = await post(olga, { text: 'Same' });
      await update(olga, one.id, {});
      await update(olga, one.id, { text: 'Same', tags: [] });
    },
  ],
  [
    'labels that are there, are new, and twice',
    ['ok', 'BAD_USER_INPUT', 'ok'],
    async ({ owner, label, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        labels: [await label(olga, { name: 'News', color: '#111111' })],
      });
      await update(olga, one.id, {
        labels: [
          { name: 'NEWS', color: '#222222' },
          { name: 'later', color: '#ABCDEF' },
          { name: 'plain' },
        ],
      });
      await update(olga, one.id, { labels: [{ name: 'one' }, { name: 'One' }] });
      await update(olga, one.id, { labels: null });
    },
  ],
  [
    'media by id and by path, and media of elsewhere',
    ['ok', 'MEDIA_NOT_FOUND'],
    async ({ owner, media, post, update }) => {
      const [olga, other] = [await owner(), await owner()];
      const [mine, foreign] = [await media(olga), await media(other)];
      const one = await post(olga);
      await update(olga, one.id, {
        media: [
          { id: mine.id, title: 'Mine' },
          { path: 'https://example.com/new.png', inLibrary: true },
        ],
      });
      await update(olga, one.id, {
        text: 'Never',
        media: [{ id: mine.id }, { id: foreign.id }, { id: 'nonsense' }],
      });
    },
  ],
  [
    'an update of what is unknown, elsewhere or private',
    ['POST_NOT_FOUND', 'FORBIDDEN', 'FORBIDDEN'],
    async ({ owner, member, post, update }) => {
      const [olga, other] = [await owner(), await owner()];
      await update(olga, UNKNOWN, { text: 'x' });
      await update(olga, (await post(other)).id, { text: 'x' });
      await update(
        olga,
        (await post(await member(olga, 'editor'), { cell: 'draft_private_undated' })).id,
        { text: 'x' },
      );
    },
  ],
  [
    'an update by who may not',
    ['FORBIDDEN', 'FORBIDDEN', 'ok'],
    async ({ owner, member, post, update }) => {
      const olga = await owner();
      const one = await post(olga);
      await update(await member(olga, 'viewer'), one.id, { text: 'x' });
      await update(await member(olga, 'editor'), one.id, { text: 'x' });
      await update(await member(olga, 'editor', true), one.id, { text: 'x' });
    },
  ],
  [
    'values that are wrong in themselves',
    ['BAD_USER_INPUT', 'BAD_USER_INPUT'],
    async ({ owner, post, update }) => {
      const olga = await owner();
      const one = await post(olga);
      await update(olga, one.id, {
        text: 'a\0b',
        duration: 0,
        recycling: { gap: 0, gapFreq: 'years' as 'days' },
        labels: [{ name: '', color: 'red' }],
        featuredMedia: { path: 'http://example.com/a.png' },
      });
      await update(olga, one.id, {
        recurring: { repeat: 'daily', startDate: '2030-02-30', daysOfWeek: [7] },
        media: [{ path: 'https://example.com/a.png', userTags: [{ x: 2 }] }],
      });
    },
  ],
  [
    'formats that depend on the post',
    ['RULE_VIOLATION', 'RULE_VIOLATION'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        account: await account(olga, { network: 'tiktok' }),
        type: 'video',
      });
      await update(olga, one.id, {
        type: 'article',
        details: { privacy: 'unlisted' },
        url: 'no-address',
      });
      await update(olga, one.id, {
        url: 'https://example.com/1',
        link: { url: 'https://example.com/2' },
        text: 'Never',
      });
    },
  ],
  [
    'a published post: what its network lets change',
    ['ok', 'ok', 'ok'],
    async ({ owner, account, post, update, get }) => {
      const olga = await owner();
      const one = await post(olga, {
        cell: 'published_posted',
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
    'a published post: what it does not',
    ['RULE_VIOLATION', 'RULE_VIOLATION', 'RULE_VIOLATION', 'RULE_VIOLATION'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const on = async (
        network: 'youtube' | 'facebook' | 'pinterest',
        cell: Post['cell'] = 'published_posted',
      ) => (await post(olga, { cell, account: await account(olga, { network }) })).id;
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
    'a series: its children follow, but for what one has changed',
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
    'a child that changes for itself',
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
        cell: 'recurring',
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
    'a rule where there can be none',
    ['RULE_VIOLATION', 'RULE_VIOLATION'],
    async ({ owner, post, update }) => {
      const olga = await owner();
      await update(olga, (await post(olga, { cell: 'failed' })).id, {
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
        (await post(mia, { cell: 'recycling_active', recycling: { gap: 1, gapFreq: 'days' } })).id,
        { text: 'Please' },
      );
      await update(olga, one.id, { text: 'Mine' });
      await update(
        mia,
        (
          await post(mia, {
            cell: 'published_posted',
            account: await account(olga, { network: 'linkedin' }),
          })
        ).id,
        { text: 'Not so' },
      );
    },
  ],
  [
    'a cap that is full',
    ['DAILY_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED'],
    async ({ owner, member, account, post, update }) => {
      const olga = await owner({ plan: 'free' });
      const mia = await member(olga, 'admin');
      const here = await account(olga, { network: 'youtube', type: 'channel' });
      for (let place = 0; place < 5; place++)
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
  [
    'a version that is another one',
    ['ok', 'CONFLICT', 'ok'],
    async ({ owner, post, update }) => {
      const olga = await owner();
      const one = await post(olga);
      await update(olga, one.id, { text: 'First' }, { expectedVersion: 1 });
      await update(olga, one.id, { text: 'Second' }, { expectedVersion: 1 });
      await update(olga, one.id, { text: 'Third' }, { expectedVersion: 2 });
    },
  ],
  [
    'a dry run, and then the change',
    ['ok', 'RULE_VIOLATION', 'ok'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        cell: 'published_posted',
        account: await account(olga, { network: 'mastodon' }),
      });
      const patch = { text: 'Edited', labels: [{ name: 'new' }] };
      await update(olga, one.id, patch, { dryRun: true });
      await update(olga, one.id, { ...patch, excerpt: 'no' }, { dryRun: true });
      await update(olga, one.id, patch);
    },
  ],
  [
    'the same again under one key',
    ['ok', 'ok', 'IDEMPOTENCY_MISMATCH', 'ok'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        cell: 'published_posted',
        account: await account(olga, { network: 'telegram', type: 'channel' }),
      });
      await update(olga, one.id, { text: 'Once', labels: [{ name: 'a' }] }, { key: 'k' });
      await update(
        olga,
        String(one.databaseId),
        { text: 'Once', labels: [{ name: 'a' }] },
        { key: 'k' },
      );
      await update(olga, one.id, { text: 'Twice' }, { key: 'k' });
      await update(olga, one.id, { text: 'Twice' }, { key: 'another' });
    },
  ],
  [
    'a refusal again under one key',
    ['RULE_VIOLATION', 'RULE_VIOLATION', 'CONFLICT', 'ok'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        cell: 'published_posted',
        account: await account(olga, { network: 'bluesky' }),
      });
      await update(olga, one.id, { text: 'No' }, { key: 'k' });
      await update(olga, one.id, { text: 'No' }, { key: 'k' });
      await update(olga, one.id, { labels: [] }, { key: 'version', expectedVersion: 7 });
      await update(olga, one.id, { labels: [] }, { key: 'version', expectedVersion: 1 });
    },
  ],
  [
    'a key that is too long',
    ['BAD_USER_INPUT', 'BAD_USER_INPUT'],
    async ({ owner, post, update, remove }) => {
      const olga = await owner();
      const one = await post(olga);
      await update(olga, one.id, { text: 'x' }, { key: 'k'.repeat(256) });
      await remove(olga, [one.id], { key: 'k'.repeat(256) });
    },
  ],
];
