import { MAX_DATA_DEPTH } from '../../../src/domain/input/readers.js';
import { type PatchInput, readPatch } from '../../../src/domain/posts/post-fields.js';

const DATE = 'must be a date that exists, as YYYY-MM-DD';
const TIME = `${DATE}, or a time with a zone, such as 2026-05-01T09:00:00Z or 2026-05-01T09:00+02:00`;
const CONTROLS = 'must not contain control characters or line breaks';
const LONE = 'must not contain lone surrogates';
const NUL = 'must not contain NUL characters';
const WEEKDAY = 'must be 0 to 6, where 0 is Monday, or a name such as monday or mon';
const COLOR = 'must be # and six hex digits, such as #1e90ff';
const LANGUAGE = 'must be a language tag of 2 to 35 characters, such as en or pt-BR';
const RANGE = 'must be a time in the years 2000 to 2100';

const nested = (levels: number): unknown => (levels === 1 ? {} : { inner: nested(levels - 1) });
const block = (data: unknown) => ({ content: [{ type: 'paragraph', data }] });

describe('readPatch rejects', () => {
  it.each<[unknown, (string | number)[], string]>([
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
    [{ recurring: { startDate: '2026-05-01T09:00' } }, ['recurring', 'startDate'], TIME],
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
    [{ content: [{ type: 'paragraph' }] }, ['content', 0], 'requires data'],
    [{ content: [{}] }, ['content', 0], 'requires type and data'],
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
    [{ location: { id: '' } }, ['location', 'id'], 'must have 1 to 200 characters; it has 0'],
    [{ labels: [{ color: '#000000' }] }, ['labels', 0], 'requires name'],
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
      '"sALE" and "Sale" are the same label; list it once',
    ],
    [{ options: Array(11).fill('a') }, ['options'], 'may have at most 10 items; it has 11'],
    [{ options: ['Yes', 'No', ' Yes '] }, ['options', 2], 'is the same option as option 0'],
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
});
