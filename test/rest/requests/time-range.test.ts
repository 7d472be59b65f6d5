import fc from 'fast-check';
import { readTimeRange } from '../../../src/rest/query-params.js';

const readRange = (text: string) => {
  const range = readTimeRange(text);
  return range && [range.start.toISOString(), range.end.toISOString()];
};
const at = (iso: string) => [iso, iso];

describe('readTimeRange (D15)', () => {
  it.each([
    ['2026-11-21', ['2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z']],
    ['2024-02-29', ['2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z']],
    ['2026-11-21T09:30:00Z', at('2026-11-21T09:30:00.000Z')],
    ['2026-11-21T09:30:00.25Z', at('2026-11-21T09:30:00.250Z')],
    ['2026-11-21T09:30:00+02:00', at('2026-11-21T07:30:00.000Z')],
    ['2026-11-21T09:30:00 02:00', at('2026-11-21T07:30:00.000Z')],
    ['2026-11-21T09:30:00-05:30', at('2026-11-21T15:00:00.000Z')],
    ['2026-12-31T23:59:59.999999999Z', ['2027-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z']],
    ['0050-03-01', ['0050-03-01T00:00:00.000Z', '0050-03-01T23:59:59.999Z']],
  ])('%s', (text, expected) => expect(readRange(text)).toEqual(expected));

  it.each([
    '',
    'today',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-1-1',
    '20261121',
    '2026-11-21T09:30Z',
    '2026-11-21T09:30:00',
    '2026-11-21T24:00:00Z',
    '2026-11-21T09:60:00Z',
    '2026-11-21T09:30:60Z',
    '2026-11-21T09:30:00.Z',
    '2026-11-21T09:30:00+24:00',
    '2026-11-21T09:30:00+0200',
    '2026-11-21 09:30:00Z',
    '2026-11-21T09:30:00Z ',
    ' 2026-11-21',
    '+002026-11-21',
    '1763717400',
    '2026-11-21T09:30:00+02:60',
  ])('rejects %j', (text) => expect(readTimeRange(text)).toBeNull());

  it('reads every time that JavaScript formats', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(readRange(date.toISOString())).toEqual(at(date.toISOString()));
        },
      ),
    );
  });

  it('returns a full day that contains each of its times', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
        (date) => {
          const day = readTimeRange(date.toISOString().slice(0, 10))!;
          expect(day.start <= date && date <= day.end).toBe(true);
          expect(day.end.getTime() - day.start.getTime()).toBe(86_399_999);
        },
      ),
    );
  });

  it('applies the offset exactly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 59 }),
        fc.constantFrom('+', '-'),
        (hour, minute, sign) => {
          const two = (value: number): string => String(value).padStart(2, '0');
          const read = readTimeRange(`2026-06-15T12:00:00${sign}${two(hour)}:${two(minute)}`)!;
          const offset = (hour * 60 + minute) * 60_000 * (sign === '+' ? 1 : -1);
          expect(read.start.getTime()).toBe(Date.UTC(2026, 5, 15, 12) - offset);
        },
      ),
    );
  });
});
