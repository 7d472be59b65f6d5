import { formatTable } from '../../src/cli/terminal.js';

it('aligns columns by their width on a terminal, and numbers to the right', () => {
  expect(
    formatTable(
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
