import {
  presentLogPosition,
  readLogPosition,
} from '../../../src/persistence/replicas/log-position.js';

test.each([
  ['0/0', 0],
  ['0/A', 10],
  ['16/B374D848', 0x16_b374_d848],
  ['FFFFF/FFFFFFFF', 2 ** 52 - 1],
])('reads and presents %s', (text, position) => {
  expect(readLogPosition(text)).toBe(position);
  expect(presentLogPosition(position)).toBe(text);
});

test('reads lowercase digits', () => {
  expect(readLogPosition('16/b374d848')).toBe(0x16_b374_d848);
});

test.each(['', '0', '/', '0/', '/0', '0/G', '0/123456789', '-1/0', ' 0/0', '0/0, 0/0', '0/0\n'])(
  'rejects %j',
  (text) => {
    expect(readLogPosition(text)).toBeUndefined();
  },
);
