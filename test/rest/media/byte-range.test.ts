import { readRange } from '../../../src/rest/media/media-files.js';

it.each([
  [undefined, null],
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['bytes=2-', { first: 2, last: 9 }],
  ['bytes=2-99', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=0-1,4-5', null],
  ['bytes=-', null],
  ['items=0-1', null],
])('the range %s of 10 bytes', (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});
