import { NETWORKS } from '../../../src/domain/networks/networks.js';
import { readBody } from '../../../src/http/body-readers.js';
import { presentPath } from '../../../src/rest/errors.js';
import { createFieldMapping } from '../../../src/rest/field-mapping.js';
import {
  createCreationReader,
  type CreationRoute,
  toCreationItems,
} from '../../../src/rest/posts/creation-body.js';
import type { CreationItem } from '../../../src/services/posts/creation/creation-request.js';
import { postPatch } from '../post-patch-type.js';

const fieldMapping = createFieldMapping(postPatch);
/** Reads a body. */
const read = (body: unknown, route: CreationRoute = 'schedule') =>
  readBody(createCreationReader(fieldMapping, route), body);

type Fields = Record<string, unknown>;
/** A content. */
const STATUS: Fields = { type: 'status', text: 'Hi' };
/** A body with one entry. */
const bodyOf = (entry: Fields, state = 'scheduled') => ({
  bulk: { state, posts: [{ networks: { default: STATUS }, accounts: [{ id: 'a' }], ...entry }] },
});
/** A body with one entry, whose content also has these fields. */
const contentOf = (content: Fields) => bodyOf({ networks: { default: { ...STATUS, ...content } } });

/** The item of a body with one entry. @throws Error if it has problems */
function itemOf(body: unknown, route: CreationRoute = 'schedule'): CreationItem {
  const { value, problems } = read(body, route);
  if (!value) throw new Error(JSON.stringify(problems));
  return toCreationItems(value, route)[0]!;
}
/** The problems of a body, as the API reports them. */
const problemsOf = (body: unknown, route?: CreationRoute): string[] =>
  read(body, route).problems.map(({ path, message }) =>
    path.length > 0 ? `${presentPath(path)}: ${message}` : message,
  );

const ENTRY = 'bulk.posts[0]';
test.each([
  [undefined, ['must be an object']],
  [{}, ['requires bulk']],
  [{ bulk: { posts: [] } }, ['bulk: requires state', 'bulk.posts: must have at least 1 items']],
  [
    { bulk: { state: 'all', posts: [{ networks: null }] }, more: 1 },
    [
      'more: unknown key; allowed: bulk',
      'bulk.state: must be one of: scheduled, draft, draft_private, draft_public, recurring',
      `${ENTRY}.networks: cannot be null`,
    ],
  ],
  [
    bodyOf({ networks: {} }),
    [`${ENTRY}.networks: must be an object with a content for a network or default`],
  ],
  [bodyOf({ networks: { default: [] } }), [`${ENTRY}.networks.default: must be an object`]],
  [
    bodyOf({ networks: { myspace: STATUS } }),
    [
      expect.stringMatching(
        /^bulk\.posts\[0\]\.networks\.myspace: unknown key; allowed: default, facebook/,
      ),
    ],
  ],
  [bodyOf({ networks: { default: { text: 'Hi' } } }), [`${ENTRY}.networks.default.type: required`]],
  [
    bodyOf({ networks: { twitter: { text: 'Hi' } } }),
    [`${ENTRY}.networks.twitter.type: required, unless default has it`],
  ],
  [
    bodyOf({ networks: { wordpress_oauth: STATUS, wordpress_basic: STATUS } }),
    [`${ENTRY}.networks.wordpress_basic: wordpress has an earlier content: send one`],
  ],
  [
    contentOf({ nonsense: 1 }),
    [expect.stringMatching(/^bulk\.posts\[0\]\.networks\.default\.nonsense: unknown key/)],
  ],
  [contentOf({ description: 'D' }), [expect.stringMatching(/default\.description: unknown key/)]],
  [
    contentOf({ network_options: {} }),
    [expect.stringMatching(/default\.network_options: unknown key/)],
  ],
  [
    contentOf({ comments: [] }),
    [`${ENTRY}.networks.default.comments: is not supported yet: remove it`],
  ],
  [bodyOf({ share: {} }), [`${ENTRY}.share: is not supported yet: remove it`]],
  [
    bodyOf({ accounts: [{ id: 'a', delete: {} }] }),
    [`${ENTRY}.accounts[0].delete: is not supported yet: remove it`],
  ],
  [bodyOf({ auto: true }, 'draft'), [`${ENTRY}.auto: requires the state scheduled`]],
  [bodyOf({ share_next: true }, 'draft'), [`${ENTRY}.share_next: requires the state scheduled`]],
  [bodyOf({ share_next: true, range: {} }), [`${ENTRY}.range: requires auto: true`]],
  [
    bodyOf({ auto: true, range: { start_date: '2026-12-02', end_date: '2026-12-01' } }),
    [`${ENTRY}.range: must not end before it starts`],
  ],
  [
    bodyOf({ auto: true, range: { start_date: 'soon', until: 1 } }),
    [
      `${ENTRY}.range.until: unknown key; allowed: start_date, end_date`,
      expect.stringMatching(/range\.start_date: must be a date that exists/),
    ],
  ],
  [
    bodyOf({ accounts: [{ id: 'a', scheduled_at: '2026-12-01T09:30:00' }] }),
    [expect.stringMatching(/accounts\[0\]\.scheduled_at: must be a time with a zone/)],
  ],
  [bodyOf({ accounts: [{ scheduled_at: null }] }), [`${ENTRY}.accounts[0]: requires id`]],
  [
    bodyOf({ accounts: [] }),
    [`${ENTRY}.accounts: must have an entry: only a draft can be without an account`],
  ],
  [bodyOf({}, 'recurring'), [`${ENTRY}.recurring: required with the state recurring`]],
  [
    bodyOf({ recurring: { repeat: 'daily', frequency: 'daily' } }),
    [`${ENTRY}.recurring.frequency: is sent under another name, too: send one of them`],
  ],
  [
    bodyOf({ recurring: { weekdays: ['someday'] } }),
    [expect.stringMatching(/^bulk\.posts\[0\]\.recurring\.weekdays\[0\]: must be 0 to 6/)],
  ],
  [
    contentOf({ boardId: 'a', board_id: 'b' }),
    [`${ENTRY}.networks.default.board_id: is sent under another name, too: send one of them`],
  ],
  [contentOf({ sensitive: 'yes' }), [`${ENTRY}.networks.default.sensitive: must be true or false`]],
  [
    contentOf({ spoilerText: 5 }),
    [expect.stringMatching(/networks\.default\.spoilerText: must be/)],
  ],
  [
    contentOf({ privacy: 'nobody' }),
    [expect.stringMatching(/networks\.default\.privacy: must be one of/)],
  ],
  [
    contentOf({ privacy: 'public', details: 5 }),
    [expect.stringMatching(/networks\.default\.details: must be an object/)],
  ],
  [contentOf({ labels: [''] }), [expect.stringMatching(/networks\.default\.labels\[0\]: must/)]],
  [
    contentOf({ media: [{ path: 'https://e.com/1', type: 'hologram' }] }),
    [expect.stringMatching(/networks\.default\.media\[0\]\.type: must be one of: photo/)],
  ],
  [
    contentOf({ media: [{ id: 'm', alt_text: 'A', caption: 'B' }] }),
    [
      `${ENTRY}.networks.default.media[0].alt_text: is sent under another name, too: send one of them`,
    ],
  ],
  [
    { bulk: { state: 'scheduled', posts: Array.from({ length: 501 }, () => ({})) } },
    ['bulk.posts: may have at most 500 items; it has 501'],
  ],
  [
    {
      bulk: {
        state: 'draft',
        posts: Array.from({ length: 2 }, () => ({
          networks: { default: STATUS },
          accounts: Array.from({ length: 501 }, () => ({ id: 'a' })),
        })),
      },
    },
    ['bulk.posts: may have at most 1000 accounts in all; they have 1002'],
  ],
])('%j is refused', (body, problems) => {
  expect(problemsOf(body)).toEqual(problems);
});

test('unknown keys are answered with all keys of the content, the options of networks included', () => {
  const allowedIn = (content: Fields, network = 'default'): string[] => {
    const [problem] = problemsOf(bodyOf({ networks: { [network]: { ...STATUS, ...content } } }));
    return problem!.split('unknown key; allowed: ')[1]!.split(', ');
  };
  const options = [
    'board_id',
    'visibility',
    'sensitive',
    'spoiler_text',
    'reply_settings',
    'category',
    'parse_mode',
    'disable_notification',
    'privacy',
  ];
  expect(allowedIn({ nonsense: 1 })).toEqual(
    expect.arrayContaining(['type', 'text', 'featured_media', ...options]),
  );
  expect(allowedIn({ nonsense: 1 })).not.toContain('description');
  expect(allowedIn({ nonsense: 1 }, 'youtube')).toContain('description');
  expect(allowedIn({ media: [{ nonsense: 1 }] })).toEqual(
    expect.arrayContaining(['id', 'path', 'alt_text', 'type']),
  );
  expect(allowedIn({ recurring: { nonsense: 1 } })).toEqual(
    expect.arrayContaining(['repeat', 'frequency', 'repeat_every', 'weekdays']),
  );
});

test('posts that are published now have no other state and no time', () => {
  const timed = { auto: true, accounts: [{ id: 'a', scheduled_at: '2026-12-01T09:30:00Z' }] };
  expect(problemsOf(bodyOf(timed, 'draft'), 'publish')).toEqual([
    'bulk.state: must be one of: scheduled',
    `${ENTRY}.auto: is not allowed here: these posts are shared now`,
    `${ENTRY}.accounts[0].scheduled_at: is not allowed here: these posts are shared now`,
  ]);
  const { bulk } = bodyOf({});
  for (const state of [undefined, null, 'scheduled'])
    expect(itemOf({ bulk: { ...bulk, state } }, 'publish')).toMatchObject({ mode: 'share_now' });
  expect(problemsOf({ bulk: { ...bulk, state: null } })).toEqual(['bulk.state: cannot be null']);
});

test('keys with the names of built-in properties are unknown', () => {
  const content = JSON.parse(
    '{"type":"status","__proto__":{"text":"x"},"constructor":1}',
  ) as Fields;
  expect(problemsOf(bodyOf({ networks: { default: content } }))).toEqual([
    expect.stringMatching(/default\.__proto__: unknown key/),
    expect.stringMatching(/default\.constructor: unknown key/),
  ]);
});

test.each([
  ['an option of a network', { boardId: '101' }, { networkOptions: { boardId: '101' } }],
  ['an option in snake case', { board_id: '101' }, { networkOptions: { boardId: '101' } }],
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
