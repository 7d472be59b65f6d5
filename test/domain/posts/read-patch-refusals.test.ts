import { type PatchInput, readPatch } from '../../../src/domain/posts/post-fields.js';

const HTTPS = 'must be an https URL, without spaces, backslashes or credentials';
const WEB = 'must be an http or https URL, without spaces, backslashes or credentials';
const CONTROLS = 'must not contain control characters or line breaks';
const FRACTION = 'must be a number from 0 to 1';
const LONE = 'must not contain lone surrogates';
const NUL = 'must not contain NUL characters';
const TYPES =
  'must be one of: status, link, photo, gif, video, reel, story, short, poll, document, carousel, article';

const url = (rest: string) => ({ link: { url: rest } });

describe('readPatch rejects', () => {
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
    [{ featuredMedia: {} }, ['featuredMedia'], 'requires path'],
    [{ featuredMedia: { path: null } }, ['featuredMedia', 'path'], 'cannot be null'],
    [{ featuredMedia: { path: 'http://a.example/b.png' } }, ['featuredMedia', 'path'], HTTPS],
    [{ media: {} }, ['media'], 'must be a list'],
    [{ media: [null] }, ['media', 0], 'cannot be null'],
    [{ media: Array(51).fill({ id: 'med_1' }) }, ['media'], 'may have at most 50 items; it has 51'],
    [
      { media: [{ id: 'med_1' }, { title: 'x', id: null }] },
      ['media', 1],
      'requires an ID or a path',
    ],
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
      FRACTION,
    ],
    [
      { media: [{ id: 'med_1', userTags: [{ x: 1, y: 0 }, { y: 1.01 }] }] },
      ['media', 0, 'userTags', 1, 'y'],
      FRACTION,
    ],
    [
      { media: [{ id: 'med_1', productTags: [{ x: -0.1 }] }] },
      ['media', 0, 'productTags', 0, 'x'],
      FRACTION,
    ],
    [
      { media: [{ id: 'med_1', userTags: [{ x: '1' }] }] },
      ['media', 0, 'userTags', 0, 'x'],
      FRACTION,
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
    [{ sublinks: [{ title: 'a' }] }, ['sublinks', 0], 'requires url'],
    [{ sublinks: [{ url: null }] }, ['sublinks', 0, 'url'], 'cannot be null'],
    [
      { sublinks: Array(21).fill({ url: 'https://a.example' }) },
      ['sublinks'],
      'may have at most 20 items; it has 21',
    ],
  ])('%#', (input, path, message) => {
    expect(readPatch(input as PatchInput).problems).toEqual([{ path, message }]);
  });

  it('all problems together, and omits the fields that have one', () => {
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
        location: { name: 'x' },
      },
      problems: [
        { path: ['type'], message: 'cannot be null' },
        { path: ['text'], message: NUL },
        { path: ['text'], message: LONE },
        { path: ['media', 0, 'caption'], message: NUL },
        { path: ['media', 0], message: 'requires an ID or a path' },
        { path: ['link', 'url'], message: WEB },
        { path: ['recycling', 'expireDate'], message: 'must not be before the start' },
        { path: ['location', 'id'], message: 'must have 1 to 200 characters; it has 0' },
        { path: ['tags', 1], message: 'must have 1 to 200 characters; it has 0' },
      ],
    });
  });
});
