import { parseUrl } from '../../../src/domain/input/parse-url.js';
import { readPublicUrl } from '../../../src/config/setting-readers.js';

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
