import { normalText, STARTS_HANGUL } from './search-text.js';

/** Vowels with a diaeresis, decomposed. */
const UMLAUTS = /([aou])\u0308/gi;

/** Arabic and Hebrew articles, with the conjunctions and prepositions that are written before them. */
const ARTICLES = /^(?:[وف]?(?:[بك]?ال|لل)(?!له$)|ו?(?:כש|[שמכלב])?ה)(?=..)/u;

/** What must precede a Korean particle: a final consonant, or none. Any if undefined. */
type Ending = 'consonant' | 'vowel' | 'vowel or rieul' | undefined;
interface Particle {
  readonly after?: Ending;
  /**
   * Minimum length of the noun. Two for a particle that many nouns of two syllables end with, such
   * as 회의 and 지도.
   */
  readonly minLength?: 2;
}

/** Particles that others may follow, as in 서울에서는. */
const PLACES: Readonly<Record<string, Particle>> = {
  에: {},
  에서: {},
  에게: {},
  에게서: {},
  한테: {},
  으로: { after: 'consonant' },
  로: { after: 'vowel or rieul' },
  까지: {},
  부터: {},
  만: { minLength: 2 },
};
const PARTICLES: Readonly<Record<string, Particle>> = {
  ...PLACES,
  ...Object.fromEntries(
    Object.entries(PLACES).flatMap(([place, particle]) =>
      ['는', '도', '의', '만', '은'].map((after) => [`${place}${after}`, particle]),
    ),
  ),
  은: { after: 'consonant' },
  는: { after: 'vowel' },
  을: { after: 'consonant' },
  를: { after: 'vowel' },
  이: { after: 'consonant' },
  가: { after: 'vowel' },
  과: { after: 'consonant' },
  와: { after: 'vowel' },
  의: { minLength: 2 },
  도: { minLength: 2 },
  께서: {},
  처럼: {},
  보다: {},
  하고: {},
  마다: {},
  밖에: {},
  조차: {},
  마저: {},
};
const LONGEST_PARTICLE = Math.max(...Object.keys(PARTICLES).map(({ length }) => length));

const FIRST_SYLLABLE = 0xac00;
const FINALS = 28;
const RIEUL = 8;

/** Whether the sound before a particle allows it. Foreign letters allow any. */
function allows(noun: string, after: Ending): boolean {
  const last = noun.slice(-1);
  if (after === undefined || !STARTS_HANGUL.test(last)) return true;
  const final = (last.charCodeAt(0) - FIRST_SYLLABLE) % FINALS;
  if (after === 'consonant') return final !== 0;
  return final === 0 || (after === 'vowel or rieul' && final === RIEUL);
}

/** A word without its Korean particle: the longest that fits. */
function withoutParticle(word: string): string {
  for (let length = Math.min(LONGEST_PARTICLE, word.length - 1); length > 0; length -= 1) {
    const particle = PARTICLES[word.slice(-length)];
    const noun = word.slice(0, -length);
    if (particle && noun.length >= (particle.minLength ?? 1) && allows(noun, particle.after))
      return noun;
  }
  return word;
}

/** Texts without any of these characters have no particles and articles. */
const MAY_HAVE_AFFIX = /[가-힣אבהוכלמשابفكلو]/u;

/**
 * The normal form of a text in another spelling, in which words are found too: ä, ö and ü as ae, oe
 * and ue, Korean words without their particles, Arabic and Hebrew words without the article. Equals
 * `normal`, the normal form of the text, if the text has none of these.
 */
export function looseText(text: string, normal: string): string {
  const decomposed = text.normalize('NFKD');
  const spelled = decomposed.includes('\u0308')
    ? normalText(decomposed.replace(UMLAUTS, '$1e'))
    : normal;
  if (!MAY_HAVE_AFFIX.test(spelled)) return spelled;
  return spelled.replace(/[^ ]+/g, (word) => withoutParticle(word.replace(ARTICLES, '')));
}
