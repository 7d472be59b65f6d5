import fc from 'fast-check';
import {
  isTimeZone,
  zoneDayEnd,
  zoneInstant,
  zoneMidnight,
  zoneOffset,
  toTimeZoneName,
} from '../../../src/domain/calendar/zone-time.js';

const HOUR = 3_600_000;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) });

describe('isTimeZone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'])(
    'accepts %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each(['', 'Mars/Olympus', '+01:00', '+0100', 'Europe/Berlin\0', ' UTC', '\ud800'])(
    'rejects %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

describe('zoneInstant', () => {
  it.each([
    ['an ordinary time', 'Europe/Berlin', '2026-07-01T12:00:00Z', '2026-07-01T10:00:00Z'],
    [
      'a skipped time, moved forward',
      'Europe/Berlin',
      '2026-03-29T02:30:00Z',
      '2026-03-29T01:30:00Z',
    ],
    [
      'the first of a time that comes twice',
      'Europe/Berlin',
      '2026-10-25T02:30:00Z',
      '2026-10-25T00:30:00Z',
    ],
    [
      'a gap of half an hour',
      'Australia/Lord_Howe',
      '2026-10-04T02:15:00Z',
      '2026-10-03T15:45:00Z',
    ],
    [
      'an overlap of half an hour',
      'Australia/Lord_Howe',
      '2026-04-05T01:45:00Z',
      '2026-04-04T14:45:00Z',
    ],
    ['a day that was skipped', 'Pacific/Apia', '2011-12-30T12:00:00Z', '2011-12-30T22:00:00Z'],
    ['quarters of an hour', 'Asia/Kathmandu', '2026-01-01T00:00:00Z', '2025-12-31T18:15:00Z'],
  ])('%s', (_what, name, wall, expected) => {
    expect(new Date(zoneInstant(Date.parse(wall), name))).toEqual(new Date(expected));
  });

  it('returns the instant of a wall-clock time, or the earlier one if it is ambiguous', () => {
    fc.assert(
      fc.property(instant, zone, (at, name) => {
        const wall = at + zoneOffset(at, name);
        const back = zoneInstant(wall, name);
        expect(back + zoneOffset(back, name)).toBe(wall);
        expect(back).toBeLessThanOrEqual(at);
        if (back !== at) expect(at - back).toBeLessThanOrEqual(HOUR);
      }),
      { numRuns: 500 },
    );
  });

  it('rejects an unknown zone', () => {
    expect(() => zoneInstant(0, 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('zoneMidnight and zoneDayEnd', () => {
  it.each([
    ['2026-01-15', 'UTC', '2026-01-15T00:00:00Z', '2026-01-15T23:59:59.999Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-05T01:59:59.999Z'],
    ['2028-02-29', 'Asia/Kathmandu', '2028-02-28T18:15:00Z', '2028-02-29T18:14:59.999Z'],
  ])('%s in %s', (date, name, first, last) => {
    expect(zoneMidnight(date, name)).toEqual(new Date(first));
    expect(zoneDayEnd(date, name)).toEqual(new Date(last));
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00',
    '',
    '２０２６-01-01',
  ])('reject %j', (date) => {
    expect(() => zoneMidnight(date, 'UTC')).toThrow(RangeError);
  });

  it('leave no gap between days', () => {
    fc.assert(
      fc.property(instant, zone, (at, name) => {
        const [today, tomorrow] = [at, at + 24 * HOUR].map((time) =>
          new Date(time).toISOString().slice(0, 10),
        ) as [string, string];
        expect(zoneDayEnd(today, name).getTime() + 1).toBe(zoneMidnight(tomorrow, name).getTime());
      }),
    );
  });
});

/** Names that do not consist of capitalized words, and names of zones with several names. */
const OTHERS =
  'America/Argentina/ComodRivadavia America/Knox_IN America/Port-au-Prince Antarctica/DumontDUrville ' +
  'Antarctica/McMurdo Australia/ACT Australia/LHI Australia/NSW Brazil/DeNoronha CET CST6CDT ' +
  'Chile/EasterIsland EET EST EST5EDT Etc/GMT Etc/GMT+0 Etc/GMT+12 Etc/GMT-0 Etc/GMT-14 Etc/GMT0 ' +
  'Etc/UCT Etc/UTC Europe/Isle_of_Man Africa/Dar_es_Salaam GB GB-Eire GMT GMT+0 GMT-0 GMT0 HST MET ' +
  'MST MST7MDT Mexico/BajaNorte Mexico/BajaSur NZ NZ-CHAT PRC PST8PDT ROC ROK UCT US/Alaska ' +
  'US/East-Indiana US/Indiana-Starke UTC W-SU WET Zulu Europe/Kyiv Europe/Kiev Asia/Kolkata ' +
  'America/Port_of_Spain Africa/Porto-Novo America/North_Dakota/New_Salem';

test('names keep their zone, and get the case of the IANA database', () => {
  const names = [...Intl.supportedValuesOf('timeZone'), ...OTHERS.split(' ')];
  expect(names.length).toBeGreaterThan(400);
  for (const name of names)
    expect([name.toLowerCase(), name.toUpperCase(), name].map(toTimeZoneName)).toEqual([
      name,
      name,
      name,
    ]);
});

test.each(['', 'Europe', 'Europe/Atlantis', '+01:00', 'Europe/Berlin ', 'Europe_Berlin'])(
  '%p is no time zone',
  (name) => expect(toTimeZoneName(name)).toBeNull(),
);
