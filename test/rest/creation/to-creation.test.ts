import { NETWORKS } from '../../../src/domain/networks/networks.js';
import { bodyOf, contentOf, itemOf, STATUS } from './read-creation.js';

test.each([
  ['an option of a network', { boardId: 'b1' }, { networkOptions: { boardId: 'b1' } }],
  ['an option in snake case', { board_id: 'b1' }, { networkOptions: { boardId: 'b1' } }],
  [
    'options of several networks',
    { sensitive: true, spoilerText: 'CW', visibility: 'unlisted', disableNotification: false },
    {
      networkOptions: {
        sensitive: true,
        spoilerText: 'CW',
        visibility: 'unlisted',
        disableNotification: false,
      },
    },
  ],
  [
    'options of one network each',
    { replySettings: 'following', category: '22', parseMode: 'HTML' },
    { networkOptions: { replySettings: 'following', category: '22', parseMode: 'HTML' } },
  ],
  ['privacy', { privacy: 'SELF_ONLY' }, { details: { privacy: 'SELF_ONLY' } }],
  [
    'privacy beside other details',
    { privacy: 'private', details: { comment: true } },
    { details: { privacy: 'private', comment: true } },
  ],
  [
    'media with the names of a request',
    { media: [{ path: 'https://e.com/1', type: 'image', caption: 'A leaf' }] },
    { media: [{ path: 'https://e.com/1', type: 'photo', caption: 'A leaf' }] },
  ],
  [
    'media with the names of a result',
    { media: [{ id: 'med_1', type: 'video', alt_text: 'A leaf' }, { id: 'med_2' }] },
    { media: [{ id: 'med_1', type: 'video', caption: 'A leaf' }, { id: 'med_2' }] },
  ],
  [
    'labels as names and objects',
    { labels: ['One', { name: 'Two', color: '#102030' }] },
    { labels: [{ name: 'One' }, { name: 'Two', color: '#102030' }] },
  ],
  [
    'a repetition with the names of a request',
    {
      recurring: { start_date: '2026-12-01', repeat: 'weekly', repeat_rate: 2, days_of_week: [0] },
    },
    { recurring: { startDate: '2026-12-01', repeat: 'weekly', repeatRate: 2, daysOfWeek: [0] } },
  ],
  [
    'a repetition with the names of a result',
    {
      recurring: {
        start_date: '2026-12-01',
        frequency: 'Weekly',
        repeat_every: 2,
        weekdays: ['monday', 'tue'],
      },
    },
    { recurring: { startDate: '2026-12-01', repeat: 'weekly', repeatRate: 2, daysOfWeek: [0, 1] } },
  ],
  [
    'fields of an update',
    {
      title: 'T',
      url: 'https://e.com',
      link: { call_to_action: 'BOOK' },
      featured_media: { path: 'https://e.com/f.png' },
      details: { auto_add_music: true },
      recycling: { gap: 2, gap_freq: 'Week' },
      options: ['Yes', 'No'],
      tags: ['a'],
    },
    {
      title: 'T',
      url: 'https://e.com',
      link: { callToAction: 'BOOK' },
      featuredMedia: { path: 'https://e.com/f.png' },
      details: { autoAddMusic: true },
      recycling: { gap: 2, gapFreq: 'weeks' },
      options: ['Yes', 'No'],
      tags: ['a'],
    },
  ],
  ['a key that is ignored', { previewed_media: [{}] }, {}],
])('a content has %s', (_name, content, patch) => {
  expect(itemOf(contentOf(content)).post).toEqual({ ...STATUS, ...patch });
});

test.each([
  ...Object.keys(NETWORKS).map((key) => [key, key]),
  ['wordpress_oauth', 'wordpress'],
  ['wordpress_basic', 'wordpress'],
])('the content %s is that of %s', (key, network) => {
  const item = itemOf(bodyOf({ networks: { [key]: STATUS } }));
  expect(item).toMatchObject({ post: {}, variants: new Map([[network, STATUS]]) });
});

test('the text of the video network may be called description', () => {
  const networks = { youtube: { type: 'video', title: 'T', description: 'D' } };
  expect(itemOf(bodyOf({ networks })).variants).toEqual(
    new Map([['youtube', { type: 'video', title: 'T', text: 'D' }]]),
  );
});

test.each([
  ['scheduled', 'schedule', 'account'],
  ['draft', 'draft', 'account'],
  ['draft_private', 'draft', 'private'],
  ['draft_public', 'draft', 'public'],
  ['recurring', 'schedule', 'account'],
  ['SCHEDULED', 'schedule', 'account'],
])('the state %s is the mode %s with the visibility %s', (state, mode, visibility) => {
  const recurring = { repeat: 'daily', start_date: '2026-12-01' };
  expect(itemOf(bodyOf({ recurring }, state))).toMatchObject({
    mode,
    visibility,
    post: { ...STATUS, recurring: { repeat: 'daily', startDate: '2026-12-01' } },
  });
});

test('accounts have times and labels of their own', () => {
  const accounts = [
    { id: 'a', scheduled_at: '2026-12-01T09:30:00.7+02:00', labels: ['One'] },
    { id: 'b', scheduled_at: null, previewed_media: true },
  ];
  expect(itemOf(bodyOf({ accounts })).targets).toEqual([
    {
      accountId: 'a',
      scheduledAt: new Date('2026-12-01T07:30:00Z'),
      post: { labels: [{ name: 'One' }] },
    },
    { accountId: 'b', scheduledAt: null, post: {} },
  ]);
});

test('posts that are published now have no time, and need no draft', () => {
  expect(itemOf(bodyOf({}), 'publish')).toMatchObject({
    mode: 'share_now',
    scheduledAt: null,
    targets: [{ accountId: 'a', scheduledAt: null }],
  });
  expect(itemOf(bodyOf({ accounts: [] }, 'draft')).targets).toEqual([]);
});

test.each([
  [{ auto: true }, { from: null, until: null }],
  [{ share_next: true }, { from: null, until: null }],
  [
    { auto: true, range: { start_date: '2026-12-01', end_date: '2026-12-02T10:00:00+01:00' } },
    { from: new Date('2026-12-01T00:00:00Z'), until: new Date('2026-12-02T09:00:00Z') },
  ],
])('%j takes the next free times of the queues', (entry, queuePeriod) => {
  expect(itemOf(bodyOf(entry))).toMatchObject({ mode: 'add_to_queue', queuePeriod });
  const off = { auto: false, share_next: null };
  expect(itemOf(bodyOf(off))).not.toHaveProperty('queuePeriod');
});
