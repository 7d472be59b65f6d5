import { comparableText } from '../../src/networks/html-text.js';

it.each([
  ['white space and lines', 'One two\n\nthree', 'One  two three'],
  ['quotation marks and dashes', 'Ada’s “beans” – now', 'Ada\'s "beans" - now'],
  ['marks of a format', '*Beans* and `code`', 'Beans and code'],
  ['the server of a mentioned account', 'Hello @ada@other.example!', 'Hello @ada!'],
  ['case and width', 'BEANS ＃１', 'beans #1'],
  ['invisible characters', 'a\u200bb ❤️', 'ab ❤'],
])('ignores %s', (_name, sent, shown) => {
  expect(comparableText(shown)).toBe(comparableText(sent));
});

it.each([
  ['letters', 'Beans', 'Bean'],
  ['digits', 'At 8', 'At 9'],
  ['emoji', 'Yes 🙂', 'Yes 🙃'],
  ['the paths of links', 'https://kiosk.example/a', 'https://kiosk.example/b'],
  ['punctuation, if there is nothing else', '???', '!!!'],
])('distinguishes %s', (_name, one, other) => {
  expect(comparableText(one)).not.toBe(comparableText(other));
});
