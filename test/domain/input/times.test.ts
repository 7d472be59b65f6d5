import fc from 'fast-check';
import { toTime } from '../../../src/domain/input/readers.js';
import { readTimeRange } from '../../../src/rest/query-params.js';
import { TIME } from '../../../src/http/body-readers.js';
import { DateTime } from '../../../src/graphql/schema/enums.js';

const readInGraphql = (text: string): Date | null => {
  try {
    return DateTime.parseValue(text);
  } catch {
    return null;
  }
};
const readInBody = (text: string): Date | null => TIME.read(text, [], []) ?? null;
const readInQuery = (text: string): Date | null => readTimeRange(text)?.start ?? null;

it.each([
  ['2026-05-01T09:00:00Z', '2026-05-01T09:00:00Z'],
  ['2026-05-01T09:00:00.000Z', '2026-05-01T09:00:00.000Z'],
  ['2026-05-01t09:00:00z', '2026-05-01T09:00:00Z'],
  ['2026-05-01T09:00Z', '2026-05-01T09:00:00Z'],
  ['2026-05-01T09:00:00+02:00', '2026-05-01T09:00:00+02:00'],
  ['2026-05-01T09:00+02:00', '2026-05-01T09:00:00+02:00'],
  ['2026-05-01T09:00:00+0200', '2026-05-01T09:00:00+02:00'],
  ['2026-05-01T09:00:00-0330', '2026-05-01T09:00:00-03:30'],
  ['2026-05-01T09:00:00+14', '2026-05-01T09:00:00+14:00'],
])('%s is a time, in both APIs', (text, normal) => {
  expect(toTime(text)).toBe(normal);
  const at = new Date(normal);
  expect([readInGraphql(text), readInBody(text), readInQuery(text)]).toEqual([at, at, at]);
});

it.each([
  '2026-05-01T09:00:00',
  '2026-05-01T09:00',
  '2026-05-01 09:00:00Z',
  '2026-05-01T09Z',
  '2026-05-01T0900Z',
  '20260501T090000Z',
  '2026-05-01T24:00:00Z',
  '2026-05-01T09:60:00Z',
  '2026-05-01T09:00:60Z',
  '2026-02-30T09:00:00Z',
  '2026-05-01T09:00:00+14:30',
  '2026-05-01T09:00:00+15:00',
  '2026-05-01T09:00:00+2',
  '2026-05-01T09:00:00 Z',
  '2026-05-01T09:00:00Z\n',
  '',
])('%j is none, in both APIs', (text) => {
  expect(toTime(text)).toBeNull();
  expect([readInGraphql(text), readInBody(text), readInQuery(text)]).toEqual([null, null, null]);
});

it('names the forms that are allowed', () => {
  expect(() => DateTime.parseValue('2026-05-01T09:00:00')).toThrow(
    'DateTime must be a time with a zone, such as 2026-05-01T09:00:00Z or 2026-05-01T09:00+02:00, not "2026-05-01T09:00:00".',
  );
});

it('keeps the instant of every time, in each of its forms', () => {
  const two = (number: number): string => String(number).padStart(2, '0');
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('2000-01-01T00:00:00Z'),
        max: new Date('2100-12-31T23:59:59Z'),
        noInvalidDate: true,
      }),
      fc.integer({ min: -14 * 4, max: 14 * 4 }),
      fc.constantFrom(':', ''),
      (date, quarters, colon) => {
        const at = new Date(Math.floor(date.getTime() / 1000) * 1000);
        const minutes = Math.abs(quarters) * 15;
        const sign = quarters < 0 ? '-' : '+';
        const local = new Date(at.getTime() + quarters * 15 * 60_000).toISOString().slice(0, 19);
        const text = `${local}${sign}${two(Math.floor(minutes / 60))}${colon}${two(minutes % 60)}`;
        expect([readInGraphql(text), readInQuery(text)]).toEqual([at, at]);
      },
    ),
  );
});
