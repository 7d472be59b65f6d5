import { isSlug, isWebUrl } from '../../../src/domain/input/url-formats.js';

describe('isSlug accepts what WordPress keeps as a slug', () => {
  it.each([
    'my-slug',
    'my_slug-2',
    'straße',
    '日本語',
    '%e6%97%a5',
    '%E6%97%A5-x',
    'हिन्दी',
    'x'.repeat(200),
    '日'.repeat(22),
  ])('%s', (slug) => expect(isSlug(slug)).toBe(true));

  it.each([
    '',
    'two words',
    'a/b',
    'a%2fb',
    'a%20b',
    'a\u0007b',
    'a%00',
    'a.b',
    'a?b',
    'a#b',
    'My-Slug',
    'É',
    '%c3%89',
    '%',
    '%e6%97',
    '😀',
    '\ud800',
    'https://a.example',
    '-',
    '-a',
    'a-',
    'a--b',
    '%2d',
    'x'.repeat(201),
    '日'.repeat(23),
  ])('but not %j', (slug) => expect(isSlug(slug)).toBe(false));
});

test('isWebUrl gives the same answer after any number of calls', () => {
  const answers = Array.from({ length: 20_000 }, () => isWebUrl('https://bücher.example/'));
  expect(answers).not.toContain(false);
});

describe('isWebUrl accepts URLs that a browser can open', () => {
  it.each([
    'https://a.example',
    'HTTP://a.example:65535/@b?c=d@e#f',
    'https://[::1]/',
    'https://bücher.example/',
  ])('%s', (url) => expect(isWebUrl(url)).toBe(true));

  it.each([
    'https://me@a.example/',
    'https://me:secret@a.example/',
    'https://a.example:65536/',
    'https://a.example:port/',
    'https:///a.example',
    'https://a.example\\@b.example',
    'https://a b',
    'ftp://a.example',
    'a-slug',
    '',
  ])('but not %j', (url) => expect(isWebUrl(url)).toBe(false));
});
