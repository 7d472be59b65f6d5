import { isTimeZone } from './zone-time.js';

/** Words of names of time zones that are not capitalized like others. */
const IRREGULAR_WORDS: ReadonlyMap<string, string> = new Map(
  (
    'ACT BajaNorte BajaSur CET CHAT ComodRivadavia DeNoronha DumontDUrville EasterIsland EET EST ' +
    'GB HST IN LHI McMurdo MET MST NSW NZ PRC ROC ROK SU UCT US UTC W WET au es of'
  )
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);
/** GMT0, and names of two abbreviations such as EST5EDT. */
const ABBREVIATIONS = /^(gmt\d*|[a-z]{3}\d[a-z]{3})$/;

const toWord = (lower: string): string => {
  if (ABBREVIATIONS.test(lower)) return lower.toUpperCase();
  return IRREGULAR_WORDS.get(lower) ?? lower.charAt(0).toUpperCase() + lower.slice(1);
};

/**
 * The name of an IANA time zone, sent in any case, as the IANA database writes it; null if the
 * runtime does not know the zone. Unlike `Intl`, it does not replace a name by another name of the
 * same zone, such as Europe/Kyiv by Europe/Kiev.
 */
export const toTimeZoneName = (name: string): string | null =>
  isTimeZone(name)
    ? name
        .toLowerCase()
        .split(/([/_+-])/)
        .map(toWord)
        .join('')
    : null;
