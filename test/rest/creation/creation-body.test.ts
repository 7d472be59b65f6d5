import { bodyOf, contentOf, itemOf, problemsOf, STATUS, type Fields } from './read-creation.js';

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
    [expect.stringMatching(/accounts\[0\]\.scheduled_at: must be a time with seconds and zone/)],
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
