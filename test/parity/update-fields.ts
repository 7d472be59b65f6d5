import { UNKNOWN, type Scenario } from './scenario.js';

/** Scenarios of updates: fields, rights and formats. */
export const UPDATE_FIELDS: readonly Scenario[] = [
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
    'a merge of objects key by key, and null clears',
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
    'an update without effect',
    ['ok', 'ok'],
    async ({ owner, post, update }) => {
      const olga = await owner();
      const one = await post(olga, { text: 'Same' });
      await update(olga, one.id, {});
      await update(olga, one.id, { text: 'Same', tags: [] });
    },
  ],
  [
    'labels: existing, new and duplicate',
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
    'media by id and by path, and media of another workspace',
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
    'media sent back with the http URL of a file of the workspace, and other http URLs',
    ['ok', 'ok', 'MEDIA_NOT_FOUND', 'MEDIA_NOT_FOUND', 'BAD_USER_INPUT'],
    async ({ owner, media, post, update }) => {
      const [olga, other] = [await owner(), await owner()];
      const url = 'http://localhost:4000/media/med_own/s3cret-token_';
      const [mine, foreign] = [
        await media(olga, { url }),
        await media(other, { url: 'http://localhost:4000/media/med_foreign/t0ken' }),
      ];
      const one = await post(olga);
      await update(olga, one.id, { media: [{ id: mine.id, path: mine.url }] });
      await update(olga, one.id, { media: [{ path: url }], featuredMedia: { path: url } });
      await update(olga, one.id, { text: 'Never', media: [{ path: foreign.url }] });
      await update(olga, one.id, { text: 'Never', featuredMedia: { path: foreign.url } });
      await update(olga, one.id, { text: 'Never', media: [{ path: 'http://example.com/a.png' }] });
    },
  ],
  [
    'an update of an unknown, inaccessible or private post',
    ['POST_NOT_FOUND', 'FORBIDDEN', 'FORBIDDEN'],
    async ({ owner, member, post, update }) => {
      const [olga, other] = [await owner(), await owner()];
      await update(olga, UNKNOWN, { text: 'x' });
      await update(olga, (await post(other)).id, { text: 'x' });
      await update(
        olga,
        (await post(await member(olga, 'editor'), { storedState: 'draft_private_undated' })).id,
        { text: 'x' },
      );
    },
  ],
  [
    'an update without rights',
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
    'invalid values',
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
    'formats that depend on what the post has',
    ['RULE_VIOLATION', 'ok', 'RULE_VIOLATION', 'ok', 'RULE_VIOLATION'],
    async ({ owner, media, post, update }) => {
      const olga = await owner();
      const one = await post(olga, { type: 'status' });
      await update(olga, one.id, { type: 'photo', url: 'https://me:pw@example.com/' });
      await update(olga, one.id, {
        location: { id: 'l1', name: 'Here' },
        details: { start: '2030-05-02' },
        tags: ['Sea', 'sea'],
      });
      await update(olga, one.id, { location: { id: 'l2' }, details: { end: '2030-05-01' } });
      await update(olga, one.id, { location: { id: 'l2' } });
      await update(olga, one.id, {
        media: [{ id: (await media(olga)).id, path: 'https://example.com/other.png' }],
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
];
