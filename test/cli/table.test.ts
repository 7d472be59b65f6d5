import { table } from '../../src/cli/table.js';

it('sets columns as wide as their texts are on a terminal, numbers to the right', () => {
  expect(
    table(
      ['name', 'count', 'note'],
      [
        ['林美玲', 7, 'Tokyo'],
        ['Ödön', 1200, null],
        ['a\u001b[31m\nb', 30, ''],
      ],
    ),
  ).toBe(
    [
      'name      count  note',
      '林美玲        7  Tokyo',
      'Ödön       1200  –',
      'a [31m b     30  –',
    ].join('\n'),
  );
});
