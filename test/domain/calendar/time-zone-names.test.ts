import { toTimeZoneName } from '../../../src/domain/calendar/time-zone-names.js';

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
