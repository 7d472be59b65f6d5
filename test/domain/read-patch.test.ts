import fc from 'fast-check';
import { FIELD_LIMITS, MAX_DATA_DEPTH } from '../../src/domain/input/field-limits.js';
import type { PatchInput } from '../../src/domain/changes/patch-input.js';
import { canonicalPrivacy } from '../../src/domain/changes/patch-words.js';
import { PATCH_FIELDS, type PostPatch } from '../../src/domain/posts/post.js';
import { readPatch } from '../../src/domain/changes/read-patch.js';

const HTTPS = 'must be an https URL, without spaces, backslashes or credentials';
const WEB = 'must be an http or https URL, without spaces, backslashes or credentials';
const DATE = 'must be a date that exists, as YYYY-MM-DD';
const TIME = `${DATE}, or a time with seconds and zone, such as 2026-05-01T09:00:00Z or 2026-05-01T09:00:00+02:00`;
const CONTROLS = 'must not contain control characters or line breaks';
const LONE = 'must not contain lone surrogates';
const NUL = 'must not contain NUL characters';
const WEEKDAY = 'must be 0 to 6, where 0 is Monday, or a name such as monday or mon';
const COLOR = 'must be # and six hex digits, such as #1e90ff';
const LANGUAGE = 'must be a language tag of 2 to 35 characters, such as en or pt-BR';
const RANGE = 'must be a time in the years 2000 to 2100';
const TYPES =
  'must be one of: status, link, photo, gif, video, reel, story, short, poll, document, carousel, article';

const nested = (levels: number): unknown => (levels === 1 ? {} : { inner: nested(levels - 1) });
const block = (data: unknown) => ({ content: [{ type: 'paragraph', data }] });
const url = (rest: string) => ({ link: { url: rest } });

describe('readPatch refuses', () => {
  it.each<[unknown, (string | number)[], string]>([
    [null, [], 'must be an object'],
    [{ type: null }, ['type'], 'cannot be null'],
    [{ type: 'constructor' }, ['type'], TYPES],
    [{ text: 7 }, ['text'], 'must be a string'],
    [{ text: 'a\0b' }, ['text'], NUL],
    [{ title: 'a\ud800' }, ['title'], LONE],
    [{ text: '😀'.repeat(100_001) }, ['text'], 'may have at most 100000 characters; it has 100001'],
    [{ title: 'x'.repeat(2_001) }, ['title'], 'may have at most 2000 characters; it has 2001'],
    [
      { excerpt: 'x'.repeat(20_001) },
      ['excerpt'],
      'may have at most 20000 characters; it has 20001',
    ],
    [
      { question: 'x'.repeat(1_001) },
      ['question'],
      'may have at most 1000 characters; it has 1001',
    ],
    [{ url: 'x'.repeat(2_049) }, ['url'], 'may have at most 2048 characters; it has 2049'],
    [{ url: 'my slug' }, ['url'], 'must not contain spaces or control characters'],
    [{ duration: 0 }, ['duration'], 'must be a whole number from 1 to 365'],
    [{ duration: 366 }, ['duration'], 'must be a whole number from 1 to 365'],
    [{ duration: 1.5 }, ['duration'], 'must be a whole number from 1 to 365'],
    [{ duration: '3' }, ['duration'], 'must be a whole number from 1 to 365'],
    [{ featuredMedia: {} }, ['featuredMedia'], 'needs path'],
    [{ featuredMedia: { path: null } }, ['featuredMedia', 'path'], 'cannot be null'],
    [{ featuredMedia: { path: 'http://a.example/b.png' } }, ['featuredMedia', 'path'], HTTPS],
    [{ media: {} }, ['media'], 'must be a list'],
    [{ media: [null] }, ['media', 0], 'cannot be null'],
    [{ media: Array(51).fill({ id: 'med_1' }) }, ['media'], 'may have at most 50 items; it has 51'],
    [{ media: [{ id: 'med_1' }, { title: 'x', id: null }] }, ['media', 1], 'needs an id or a path'],
    [{ media: [{ path: 'b.png' }] }, ['media', 0, 'path'], HTTPS],
    [
      { media: [{ id: 'med_1', thumbnails: { small: 'http://a.example' } }] },
      ['media', 0, 'thumbnails', 'small'],
      HTTPS,
    ],
    [{ media: [{ id: 'med_1', defaultThumbnail: '' }] }, ['media', 0, 'defaultThumbnail'], HTTPS],
    [
      { media: [{ id: 'med_1', inLibrary: 'yes' }] },
      ['media', 0, 'inLibrary'],
      'must be true or false',
    ],
    [
      { media: [{ id: 'med_1', userTags: [{ x: Infinity }] }] },
      ['media', 0, 'userTags', 0, 'x'],
      'must be a number',
    ],
    [
      { media: [{ id: 'med_1', productTags: [{ name: 'a\u0007' }] }] },
      ['media', 0, 'productTags', 0, 'name'],
      CONTROLS,
    ],
    [url(''), ['link', 'url'], WEB],
    [url('javascript:alert(1)'), ['link', 'url'], WEB],
    [url('//a.example/b'), ['link', 'url'], WEB],
    [url('https:/a.example'), ['link', 'url'], WEB],
    [url('https:///a.example'), ['link', 'url'], WEB],
    [url('https://a.example:99999/'), ['link', 'url'], WEB],
    [url('https://me:secret@a.example/'), ['link', 'url'], WEB],
    [url('https://me@a.example'), ['link', 'url'], WEB],
    [url('https://a.example\\@b.example'), ['link', 'url'], WEB],
    [url(' https://a.example'), ['link', 'url'], WEB],
    [url('https://a.exa\nmple'), ['link', 'url'], WEB],
    [
      url(`https://a.example/${'x'.repeat(2_048)}`),
      ['link', 'url'],
      'may have at most 2048 characters; it has 2066',
    ],
    [{ link: { images: ['https://a.example', 'x'] } }, ['link', 'images', 1], WEB],
    [{ link: { originalImages: ['x'] } }, ['link', 'originalImages', 0], WEB],
    [{ link: { defaultImage: 'x' } }, ['link', 'defaultImage'], WEB],
    [{ link: [] }, ['link'], 'must be an object'],
    [{ sublinks: [{ title: 'a' }] }, ['sublinks', 0], 'needs url'],
    [{ sublinks: [{ url: null }] }, ['sublinks', 0, 'url'], 'cannot be null'],
    [
      { sublinks: Array(21).fill({ url: 'https://a.example' }) },
      ['sublinks'],
      'may have at most 20 items; it has 21',
    ],
    [
      { details: { type: 'long post' } },
      ['details', 'type'],
      'must be one of: reel, story, short, document, photo, event, offer, long_post',
    ],
    [
      { details: { privacy: 'friends' } },
      ['details', 'privacy'],
      'must be one of: PUBLIC_TO_EVERYONE, MUTUAL_FOLLOW_FRIENDS, FOLLOWER_OF_CREATOR, SELF_ONLY, public, unlisted, private',
    ],
    [{ details: { language: 'e' } }, ['details', 'language'], LANGUAGE],
    [{ details: { language: 'en_GB' } }, ['details', 'language'], LANGUAGE],
    [{ details: { language: `en${'-abcdefgh'.repeat(4)}` } }, ['details', 'language'], LANGUAGE],
    [{ details: { start: '2026-05-01T09:00:00' } }, ['details', 'start'], TIME],
    [
      { details: { start: '2026-05-02', end: '2026-05-01' } },
      ['details', 'end'],
      'must not be before the start',
    ],
    [
      { details: { sponsor: { verified: 1 } } },
      ['details', 'sponsor', 'verified'],
      'must be true or false',
    ],
    [{ details: { title: 'two\nlines' } }, ['details', 'title'], CONTROLS],
    [
      { recycling: { gapFreq: 'hours' } },
      ['recycling', 'gapFreq'],
      'must be one of: days, weeks, months',
    ],
    [
      { recycling: { gapFreq: '__proto__' } },
      ['recycling', 'gapFreq'],
      'must be one of: days, weeks, months',
    ],
    [{ recycling: { gap: 1_001 } }, ['recycling', 'gap'], 'must be a whole number from 1 to 1000'],
    [
      { recycling: { expireCount: 0 } },
      ['recycling', 'expireCount'],
      'must be a whole number from 1 to 1000',
    ],
    [{ recycling: { startDate: '2026-02-29' } }, ['recycling', 'startDate'], DATE],
    [{ recycling: { startDate: '2026-05-01T09:00:00Z' } }, ['recycling', 'startDate'], DATE],
    [
      { recycling: { startDate: '2026-05-02', expireDate: '2026-05-01' } },
      ['recycling', 'expireDate'],
      'must not be before the start',
    ],
    [
      { recurring: { repeat: 'hourly' } },
      ['recurring', 'repeat'],
      'must be one of: daily, weekly, monthly, yearly',
    ],
    [
      { recurring: { repeatRate: 0 } },
      ['recurring', 'repeatRate'],
      'must be a whole number from 1 to 1000',
    ],
    [{ recurring: { daysOfWeek: [0, 7] } }, ['recurring', 'daysOfWeek', 1], WEEKDAY],
    [{ recurring: { daysOfWeek: ['1'] } }, ['recurring', 'daysOfWeek', 0], WEEKDAY],
    [{ recurring: { daysOfWeek: [{ day: 1 }] } }, ['recurring', 'daysOfWeek', 0], WEEKDAY],
    [{ recurring: { daysOfWeek: [null] } }, ['recurring', 'daysOfWeek', 0], 'cannot be null'],
    [{ recurring: { startDate: '2026-02-30T09:00:00Z' } }, ['recurring', 'startDate'], TIME],
    [{ recurring: { startDate: '2026-05-01T24:00:00Z' } }, ['recurring', 'startDate'], TIME],
    [{ recurring: { startDate: '2026-05-01T09:00Z' } }, ['recurring', 'startDate'], TIME],
    [{ recurring: { startDate: '2026-05-01T09:00:00+14:30' } }, ['recurring', 'startDate'], TIME],
    [
      { recurring: { startDate: '2026-05-01T09:00:00+02:00', endDate: '2026-05-01T06:59:59Z' } },
      ['recurring', 'endDate'],
      'must not be before the start',
    ],
    [
      { content: Array(1_001).fill({ type: 'paragraph', data: {} }) },
      ['content'],
      'may have at most 1000 items; it has 1001',
    ],
    [
      { content: [{ type: 'text', data: {} }] },
      ['content', 0, 'type'],
      'must be one of: paragraph, header, list, media, table, delimiter, code, html, quote',
    ],
    [{ content: [{ type: 'paragraph' }] }, ['content', 0], 'needs data'],
    [{ content: [{}] }, ['content', 0], 'needs type and data'],
    [block([]), ['content', 0, 'data'], 'must be a JSON object'],
    [block('x'), ['content', 0, 'data'], 'must be a JSON object'],
    [block(null), ['content', 0, 'data'], 'cannot be null'],
    [block(nested(MAX_DATA_DEPTH + 1)), ['content', 0, 'data'], 'may be at most 16 levels deep'],
    [
      block(JSON.parse(`${'{"a":['.repeat(5_000)}${']}'.repeat(5_000)}`)),
      ['content', 0, 'data'],
      'may be at most 16 levels deep',
    ],
    [block({ a: [{ b: 'x\0' }] }), ['content', 0, 'data'], NUL],
    [block({ a: [{ 'x\udc00': 1 }] }), ['content', 0, 'data'], LONE],
    [
      block(JSON.parse('{"n":1e999}')),
      ['content', 0, 'data'],
      'must not contain numbers too large for a double',
    ],
    [{ location: { name: 'Here' } }, ['location'], 'needs id'],
    [{ location: { id: '' } }, ['location', 'id'], 'must have 1 to 200 characters; it has 0'],
    [{ labels: [{ color: '#000000' }] }, ['labels', 0], 'needs name'],
    [
      { labels: [{ name: '  ' }] },
      ['labels', 0, 'name'],
      'must have 1 to 100 characters; it has 0',
    ],
    [
      { labels: [{ name: 'x'.repeat(101) }] },
      ['labels', 0, 'name'],
      'must have 1 to 100 characters; it has 101',
    ],
    [{ labels: [{ name: 'a\u2028b' }] }, ['labels', 0, 'name'], CONTROLS],
    [{ labels: [{ name: 'a', color: '#12345' }] }, ['labels', 0, 'color'], COLOR],
    [{ labels: [{ name: 'a', color: '#123456\n' }] }, ['labels', 0, 'color'], COLOR],
    [
      { labels: [{ name: 'Sale' }, { name: 'New' }, { name: ' sALE ' }] },
      ['labels', 2, 'name'],
      '"sALE" and "Sale" are one label; name it once',
    ],
    [{ options: Array(11).fill('a') }, ['options'], 'may have at most 10 items; it has 11'],
    [{ options: ['a', ''] }, ['options', 1], 'must have 1 to 200 characters; it has 0'],
    [{ tags: Array(101).fill('a') }, ['tags'], 'may have at most 100 items; it has 101'],
    [
      { categories: ['x'.repeat(201)] },
      ['categories', 0],
      'must have 1 to 200 characters; it has 201',
    ],
    [{ scheduledAt: new Date(NaN) }, ['scheduledAt'], RANGE],
    [{ scheduledAt: '2026-05-01T09:00:00Z' }, ['scheduledAt'], RANGE],
    [{ scheduledAt: new Date('1999-12-31T23:59:59Z') }, ['scheduledAt'], RANGE],
    [{ scheduledAt: new Date('2101-01-01T00:00:00Z') }, ['scheduledAt'], RANGE],
  ])('%#', (input, path, message) => {
    expect(readPatch(input as PatchInput).problems).toEqual([{ path, message }]);
  });

  it('everything at once, and leaves out the parts', () => {
    const input: PatchInput = {
      type: null,
      text: '\0\ud800',
      title: 'fine',
      link: { url: 'x', title: 'kept' },
      tags: ['a', '', 'b'],
      media: [{ caption: '\0' }],
      recycling: { startDate: '2026-05-02', expireDate: '2026-05-01', gap: 2 },
      location: { id: '', name: 'x' },
    };
    expect(readPatch(input)).toEqual({
      patch: {
        title: 'fine',
        link: { title: 'kept' },
        recycling: { startDate: '2026-05-02', gap: 2 },
      },
      problems: [
        { path: ['type'], message: 'cannot be null' },
        { path: ['text'], message: NUL },
        { path: ['text'], message: LONE },
        { path: ['media', 0, 'caption'], message: NUL },
        { path: ['media', 0], message: 'needs an id or a path' },
        { path: ['link', 'url'], message: WEB },
        { path: ['recycling', 'expireDate'], message: 'must not be before the start' },
        { path: ['location', 'id'], message: 'must have 1 to 200 characters; it has 0' },
        { path: ['tags', 1], message: 'must have 1 to 200 characters; it has 0' },
      ],
    });
  });
});

describe('readPatch gives', () => {
  it.each<[PatchInput, PostPatch | PatchInput]>([
    [{}, {}],
    [{ text: undefined }, {}],
    [
      { type: 'photo', text: 'a\n\tb\u001b', url: 'my-slug', title: '' },
      { type: 'photo', text: 'a\n\tb\u001b', url: 'my-slug', title: '' },
    ],
    [{ text: '😀'.repeat(100_000) }, { text: '😀'.repeat(100_000) }],
    [{ duration: 365 }, { duration: 365 }],
    [
      { featuredMedia: { path: 'HTTPS://A.example/b?c=d@e' } },
      { featuredMedia: { path: 'https://A.example/b?c=d@e' } },
    ],
    [
      { media: [{ path: 'https://127.0.0.1:8443/ä.png', userTags: [{ x: 0.5, y: null }] }] },
      { media: [{ path: 'https://127.0.0.1:8443/ä.png', userTags: [{ x: 0.5, y: null }] }] },
    ],
    [
      { link: { url: 'HTTP://a.example', images: null } },
      { link: { url: 'http://a.example', images: null } },
    ],
    [
      {
        details: {
          type: 'LONG_Post',
          privacy: 'Self_Only',
          language: 'pt-BR',
          start: '2026-05-01',
        },
      },
      {
        details: {
          type: 'long_post',
          privacy: 'Self_Only',
          language: 'pt-BR',
          start: '2026-05-01',
        },
      },
    ],
    [{ recycling: { gapFreq: 'Day', gap: 1_000 } }, { recycling: { gapFreq: 'days', gap: 1_000 } }],
    [{ recycling: { gapFreq: 'WEEKS' } }, { recycling: { gapFreq: 'weeks' } }],
    [
      { recycling: { gapFreq: 'month', startDate: '2028-02-29', expireDate: '2028-02-29' } },
      { recycling: { gapFreq: 'months', startDate: '2028-02-29', expireDate: '2028-02-29' } },
    ],
    [
      { recurring: { repeat: 'Weekly', daysOfWeek: ['Sunday', 4, 'FRI', 'mon', 0] } },
      { recurring: { repeat: 'weekly', daysOfWeek: [0, 4, 6] } },
    ],
    [{ recurring: { daysOfWeek: [] } }, { recurring: { daysOfWeek: [] } }],
    [
      {
        recurring: {
          startDate: '2026-05-01T09:00:00.123+14:00',
          endDate: '2026-04-30T19:00:00.123Z',
        },
      },
      {
        recurring: {
          startDate: '2026-05-01T09:00:00.123+14:00',
          endDate: '2026-04-30T19:00:00.123Z',
        },
      },
    ],
    [
      { recurring: { startDate: '2026-05-02T00:00:00Z', endDate: '2026-05-01' } },
      { recurring: { startDate: '2026-05-02T00:00:00Z', endDate: '2026-05-01' } },
    ],
    [
      { content: [{ type: 'Paragraph', data: nested(MAX_DATA_DEPTH) }] },
      { content: [{ type: 'paragraph', data: nested(MAX_DATA_DEPTH) }] },
    ],
    [{ location: { id: '42' } }, { location: { id: '42' } }],
    [
      {
        labels: [
          { name: ' Sale ', color: '#AbCdEf' },
          { name: 'sales', color: null },
        ],
      },
      {
        labels: [
          { name: 'Sale', color: '#abcdef' },
          { name: 'sales', color: null },
        ],
      },
    ],
    [
      { options: [' yes', 'no\n'], tags: ['a b'], categories: [] },
      { options: ['yes', 'no'], tags: ['a b'], categories: [] },
    ],
    [
      { scheduledAt: new Date('2026-05-01T09:00:00.999Z') },
      { scheduledAt: new Date('2026-05-01T09:00:00Z') },
    ],
  ])('%#', (input, patch) => {
    expect(readPatch(input)).toStrictEqual({ patch, problems: [] });
  });

  it('null for every field but the type', () => {
    const cleared = Object.fromEntries(
      PATCH_FIELDS.filter((field) => field !== 'type').map((field) => [field, null]),
    );
    expect(readPatch(cleared)).toStrictEqual({ patch: cleared, problems: [] });
  });

  it('a block’s data as it came, whatever its keys', () => {
    const data: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":null}');
    expect(readPatch(block(data) as PatchInput).patch.content?.[0]?.data).toBe(data);
  });
});

describe('readPatch holds for any input', () => {
  const strange = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom(
      '',
      '\0',
      '\ud800',
      'a\u0007',
      '2026-02-30',
      '2026-05-01',
      'https://a.example',
      'https://u:p@a.example',
      'mon',
      'PUBLIC',
      NaN,
      1e999,
      -0,
    ),
    fc.array(fc.constantFrom('mon', 'Mon', 'x', 0, 9, null), { maxLength: 9 }),
    fc.date({ noInvalidDate: false }),
  );
  const full: Record<string, unknown> = {
    type: 'poll',
    text: 't',
    url: 'u',
    title: 't',
    excerpt: 'e',
    question: 'q',
    duration: 3,
    featuredMedia: { path: 'https://a.example/p' },
    media: [
      {
        id: 'med_1',
        path: 'https://a.example/p',
        title: 't',
        caption: 'c',
        inLibrary: true,
        defaultThumbnail: 'https://a.example/p',
        thumbnails: { real: 'https://a.example/p', small: 'https://a.example/p' },
        userTags: [{ id: 'i', name: 'n', x: 1, y: 2 }],
        collaboratorTags: [{}],
        productTags: [{}],
      },
    ],
    link: {
      url: 'https://a.example',
      callToAction: 'c',
      phoneNumber: '1',
      providerDisplay: 'p',
      originalDescription: 'd',
      originalTitle: 't',
      description: 'd',
      title: 't',
      defaultImage: 'https://a.example',
      images: ['https://a.example'],
      originalImages: [],
    },
    details: {
      type: 'reel',
      feed: true,
      reminder: true,
      title: 't',
      start: '2026-05-01',
      end: '2026-05-02',
      coupon: 'c',
      terms: 't',
      audio: 'a',
      privacy: 'public',
      comment: true,
      duet: true,
      stitch: true,
      promotional: true,
      paid: true,
      language: 'en',
      autoAddMusic: true,
      textFormatPresetId: '1',
      boost: true,
      sponsor: { id: '1', name: 'n', verified: true, boost: true },
    },
    recycling: {
      solo: true,
      gap: 1,
      gapFreq: 'days',
      label: 'l',
      startDate: '2026-05-01',
      expireDate: '2026-05-02',
      expireCount: 1,
    },
    recurring: {
      startDate: '2026-05-01',
      endDate: '2026-05-02',
      repeat: 'daily',
      repeatRate: 1,
      daysOfWeek: [0, 'tue'],
    },
    content: [{ type: 'code', data: { a: 'x' } }],
    location: { id: '1', name: 'n' },
    labels: [{ name: 'Mon', color: '#AABBCC' }, { name: 'b' }],
    options: ['a'],
    tags: ['a'],
    categories: ['a'],
    sublinks: [{ url: 'https://a.example', title: 't' }],
    scheduledAt: new Date('2026-05-01T09:00:00.5Z'),
  };
  /** Every place in the full input, lists and objects included. */
  const placesIn = (value: unknown, path: (string | number)[] = []): (string | number)[][] => [
    path,
    ...(typeof value !== 'object' || value === null || value instanceof Date
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
          placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
        )),
  ];
  const places = placesIn(full).filter((path) => path.length > 0);
  const put = (into: unknown, [key, ...rest]: (string | number)[], value: unknown): void => {
    const holder = into as Record<string | number, unknown>;
    if (typeof holder !== 'object' || holder === null || holder instanceof Date) return;
    if (rest.length === 0) holder[key!] = value;
    else put(holder[key!], rest, value);
  };
  const input = fc
    .array(fc.tuple(fc.constantFrom(...places), fc.option(strange)), { maxLength: 6 })
    .map((changes) => {
      const made = structuredClone(full);
      for (const [path, value] of changes) put(made, path, value);
      return made;
    });

  it('is a full input without problems, so that every leaf is reached', () => {
    expect(Object.keys(full).sort()).toEqual([...PATCH_FIELDS].sort());
    expect(readPatch(full).problems).toEqual([]);
  });

  it('never throws, names only places that are there, and gives what it would give again', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { patch, problems } = readPatch(given);
        for (const { path } of problems) {
          let at: unknown = given;
          for (const key of path) {
            expect(Object.hasOwn(at as object, key)).toBe(true);
            at = (at as Record<string | number, unknown>)[key];
          }
        }
        expect(readPatch(patch)).toStrictEqual({ patch, problems: [] });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('canonicalPrivacy', () => {
  it.each([
    ['tiktok', 'self_only', 'SELF_ONLY'],
    ['tiktok', 'private', null],
    ['youtube', 'UNLISTED', 'unlisted'],
    ['youtube', 'SELF_ONLY', null],
    ['facebook', 'Public', 'Public'],
  ] as const)('%s: %s is %s', (network, word, expected) => {
    expect(canonicalPrivacy(network, word)).toBe(expected);
  });
});

describe('FIELD_LIMITS', () => {
  it('has the bounds that the database checks too', () => {
    const { text, title, excerpt } = FIELD_LIMITS.postPatch;
    expect([
      text.maxLength,
      title.maxLength,
      excerpt.maxLength,
      FIELD_LIMITS.label.name.maxLength,
    ]).toEqual([100_000, 2_000, 20_000, 100]);
  });
});
