import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  readWindow,
  toConnection,
  type ConnectionArgs,
  readCursor,
  writeCursor,
  MEDIA_BY_TIME,
  postOrder,
  type ListOrder,
} from '../../../src/graphql/schema/connection.js';

const BY_DATE = postOrder({ field: 'scheduled_at', direction: 'desc' });
const cursorKey = fc.record({
  sortValue: fc.option(
    fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((date) => date.toISOString()),
  ),
  id: fc.integer({ min: 1, max: 2_147_483_647 }),
});

it('reads every cursor that it wrote', () => {
  fc.assert(
    fc.property(cursorKey, (key) =>
      expect(readCursor('posts', writeCursor('posts', key))).toEqual(key),
    ),
  );
});

it('rejects a cursor with any character changed, removed or added', () => {
  fc.assert(
    fc.property(
      cursorKey,
      fc.nat(),
      fc.constantFrom('A', 'b', '9', '-', '=', ' ', ''),
      (key, offset, character) => {
        const cursor = writeCursor('posts', key);
        const index = offset % (cursor.length + 1);
        const changed = cursor.slice(0, index) + character + cursor.slice(index + 1);
        fc.pre(changed !== cursor);
        expect(readCursor('posts', changed)).toBeNull();
      },
    ),
  );
});

it('rejects any other text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) =>
      expect(readCursor('posts', text)).toBeNull(),
    ),
  );
});

const withChecksum = (body: string): string =>
  Buffer.from(createHash('sha256').update(body).digest('base64url').slice(0, 8) + body).toString(
    'base64url',
  );
it.each([
  '',
  '{',
  '7',
  'null',
  '["posts:scheduled_at:desc",null,"7"]',
  '["posts:scheduled_at:desc","yesterday",7]',
  '["posts:scheduled_at:desc",null,-1]',
  '["posts:scheduled_at:desc",null,3e9]',
  '["posts:scheduled_at:desc"]',
])('rejects an invalid position with a valid checksum: %s', (body) => {
  expect(() => readWindow({ after: withChecksum(body) }, BY_DATE)).toThrow(
    'after must be an unmodified cursor of this list in this order.',
  );
});

describe('arguments', () => {
  const cursor = writeCursor(BY_DATE.name, { sortValue: null, id: 7 });
  it.each<[ConnectionArgs, object]>([
    [{}, { limit: 20, fromEnd: false }],
    [
      { first: null, after: null },
      { limit: 20, fromEnd: false },
    ],
    [{ first: 1 }, { limit: 1, fromEnd: false }],
    [{ last: 100 }, { limit: 100, fromEnd: true }],
    [
      { first: 3, after: cursor, before: cursor },
      { limit: 3, fromEnd: false, after: { at: null, id: 7 }, before: { at: null, id: 7 } },
    ],
  ])('%j', (args, window) => expect(readWindow(args, BY_DATE)).toEqual(window));

  it.each<[ConnectionArgs, string[]]>([
    [{ first: 0 }, ['first']],
    [{ first: 101 }, ['first']],
    [{ last: -1 }, ['last']],
    [{ first: 2, last: 2 }, ['last']],
    [{ first: 0, last: 101, after: 'x', before: '' }, ['first', 'last', 'after', 'before', 'last']],
  ])('%j is rejected', (args, names) => {
    expect(() => readWindow(args, BY_DATE)).toThrow(
      expect.objectContaining({
        code: 'BAD_USER_INPUT',
        problems: names.map((name) => expect.objectContaining({ path: [name] })),
      }),
    );
  });

  it.each<ListOrder<unknown>>([
    postOrder({ field: 'created_at', direction: 'desc' }),
    postOrder({ field: 'scheduled_at', direction: 'asc' }),
    MEDIA_BY_TIME,
  ])('rejects a cursor of another order: $name', (order) =>
    expect(() => readWindow({ after: cursor }, order)).toThrow('after must be'),
  );
});

describe('a cursor by engagement', () => {
  const order = postOrder({ field: 'engagement', direction: 'desc' });
  const after = (sortValue: string | null) => () =>
    readWindow({ after: writeCursor(order.name, { sortValue, id: 5 }) }, order);

  it('is a number', () => {
    expect(after('2147483647')()).toMatchObject({ after: { at: 2_147_483_647, id: 5 } });
  });

  it.each([null, '', '-1', '1.5', '2147483648', '2026-11-21T08:00:00.000Z'])(
    'is not %j',
    (sortValue) => expect(after(sortValue)).toThrow('after must be'),
  );
});

it('creates no cursors for an empty page', () => {
  const { pageInfo, edges } = toConnection(
    { items: [], hasNextPage: false, hasPreviousPage: false },
    BY_DATE,
    () => ({ sortValue: null, id: 1 }),
  );
  expect([edges(), pageInfo.startCursor(), pageInfo.endCursor()]).toEqual([[], null, null]);
});
