import {
  isSlug,
  isWebUrl,
  parseUrl,
  singleHostUrls,
  changeDatabaseUrl,
  isDatabaseUrl,
} from '../../../src/domain/input/urls.js';
import { readPublicUrl } from '../../../src/config/setting-readers.js';

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

test.each(['not a URL', '', '/path', 'https://', 'https://a.example:99999'])(
  '%j is no URL',
  (text) => expect(parseUrl(text)).toBeNull(),
);

test('a URL is parsed', () => {
  expect(parseUrl('https://bücher.example/a?b=c')?.href).toBe(
    'https://xn--bcher-kva.example/a?b=c',
  );
});

test('a host outside ASCII is read in the same way after any number of calls', () => {
  const url = 'https://bücher.example/hook';
  const answers = Array.from({ length: 20_000 }, () => readPublicUrl(url));
  expect(new Set(answers)).toEqual(new Set([url]));
});

test.each([
  ['postgresql://u:p@a/db', ['postgresql://u:p@a/db']],
  ['postgresql://u:p@a:1,b/db?x=1', ['postgresql://u:p@a:1/db?x=1', 'postgresql://u:p@b/db?x=1']],
  ['postgres://[::1]:1,[::2]:2/db', ['postgres://[::1]:1/db', 'postgres://[::2]:2/db']],
  ['postgresql://u:p,q@a/db?y=1,2', ['postgresql://u:p,q@a/db?y=1,2']],
  ['redis+cluster://a:1,b:2', ['redis+cluster://a:1', 'redis+cluster://b:2']],
])('the hosts of %s', (url, urls) => {
  expect(singleHostUrls(url)).toEqual(urls);
});

test.each([
  ['postgresql://u:p@a/db', true],
  ['postgres:///db?host=/run/postgresql', true],
  ['postgresql://u:p@a:1,b:2/db', true],
  ['postgresql://a,b/db?target_session_attrs=read-write', true],
  ['postgresql://a,b/db?target_session_attrs=primary', true],
  ['postgresql://a,b/db?target_session_attrs=any', true],
  ['postgresql://a,b/db?target_session_attrs=standby', false],
  ['postgresql://a/db?target_session_attrs=read-only', false],
  ['postgresql://a,/db', false],
  ['postgresql://a:1,b:x/db', false],
  ['mysql://a,b/db', false],
  ['a,b', false],
])('%s is accepted: %s', (url, isAccepted) => {
  expect(isDatabaseUrl(url)).toBe(isAccepted);
});

test('a change keeps the hosts', () => {
  const withoutPassword = (url: string): string | null =>
    changeDatabaseUrl(url, (parsed) => {
      parsed.password = '';
    });
  expect(withoutPassword('postgresql://u:p@a:1,b:2/db?x=1')).toBe('postgresql://u@a:1,b:2/db?x=1');
  expect(withoutPassword('postgresql://u:p@a:1/db')).toBe('postgresql://u@a:1/db');
  expect(withoutPassword('a b')).toBeNull();
});
