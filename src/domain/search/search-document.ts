import { contentTexts } from '../posts/content-data.js';
import type { Post } from '../posts/post.js';

/**
 * Text normalization for search (D16). Texts are normalized when they are stored, queries when they
 * are read, so that case, accents and typographic variants are ignored.
 */

/**
 * Marks that users omit when they search: Latin, Greek and Cyrillic accents, Hebrew points, Arabic
 * harakat and tatweel, emoji skin tones.
 */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u{1f3fb}-\u{1f3ff}]/gu;

/** Joiners, soft hyphens, variation selectors: invisible, and not typed in queries. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters with a stroke or ligature that Unicode does not decompose. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ς: 'σ',
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
};

/** Letters, digits and marks of scripts without spaces between words. */
const UNSPACED =
  '(?=[\\p{L}\\p{N}\\p{M}])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]';
const EMOJI = '[\\p{Extended_Pictographic}\\p{Regional_Indicator}]';
const RUN = `(?:${UNSPACED})+|${EMOJI}+`;
const WORD = `(?!${UNSPACED})[\\p{L}\\p{N}](?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])*`;

const PIECES = new RegExp(`${RUN}|${WORD}`, 'gu');
const STARTS_RUN = new RegExp(`^(?:${UNSPACED}|${EMOJI})`, 'u');

/** Words that begin with a Korean syllable. */
export const STARTS_HANGUL = /^[가-힣]/u;

/**
 * Maximum length of a word token in code points; longer words are truncated to keep index entries
 * small.
 */
export const MAX_WORD_TOKEN = 100;

/**
 * The normal form of a text: compatibility forms unified, accents and invisible characters removed,
 * case folded; then its pieces (words, and runs of characters of scripts without spaces or of
 * emoji) separated by single spaces, with one space at each end. Vowel signs of Indic and Thai
 * script are kept. '' for a text without pieces. Never throws: NUL and lone surrogates separate
 * pieces.
 */
export function normalText(text: string): string {
  const pieces = toPlain(toPlain(text).toUpperCase().toLowerCase()).match(PIECES);
  return pieces ? ` ${pieces.join(' ')} ` : '';
}

/**
 * Decomposes the text, removes ACCENTS and INVISIBLE, and composes the rest, so that が and 한 are
 * single characters again.
 */
function toPlain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(INVISIBLE, '')
    .replace(/[ςßłøđħŧæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/** The pieces of a normalized text, in order. */
export function searchPieces(normal: string): string[] {
  return normal.split(' ').filter((piece) => piece !== '');
}

/** Whether a piece is a run. Any part of a run can match. */
export function isRun(piece: string): boolean {
  return STARTS_RUN.test(piece);
}

/** The index token of a word: the word, truncated to MAX_WORD_TOKEN code points. */
export function toWordToken(word: string): string {
  return word.length <= MAX_WORD_TOKEN ? word : [...word].slice(0, MAX_WORD_TOKEN).join('');
}

/** Every pair of adjacent characters of a run. */
export function runPairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

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

/** What the search index has of a post. */
export interface SearchDocument {
  /** The normal forms of the texts, and their loose forms where they differ. */
  readonly normal: string;
  /** Distinct words, and single characters and pairs of characters of runs. */
  readonly tokens: readonly string[];
}

/** Bounds the tokens of a post: PostgreSQL's `tsvector` type has at most 1 MB. */
const MAX_TOKEN_BYTES = 1_000_000;
/** Maximum of bytes of a UTF-16 code unit in UTF-8. */
const MAX_UNIT_BYTES = 3;
/** Bytes that the index adds to each token for its workspace. */
const PREFIX_BYTES = 5;

/** The tokens of a piece: a word, or every character and every pair of adjacent ones of a run. */
const tokensOf = (piece: string): readonly string[] =>
  isRun(piece) ? [...piece, ...runPairs(piece)] : [toWordToken(piece)];

function addTokens(tokens: Set<string>, normal: string): void {
  for (const piece of searchPieces(normal)) for (const token of tokensOf(piece)) tokens.add(token);
}

/**
 * Korean words without their particle are not indexed: the word with the particle begins with them,
 * and the normal form proves the match.
 */
function addLooseTokens(tokens: Set<string>, loose: string): void {
  for (const piece of searchPieces(loose))
    if (!STARTS_HANGUL.test(piece) && !isRun(piece)) tokens.add(toWordToken(piece));
}

function boundedTokens(tokens: ReadonlySet<string>): string[] {
  const bounded: string[] = [];
  let bytes = 0;
  for (const token of tokens) {
    bytes += token.length * MAX_UNIT_BYTES + PREFIX_BYTES;
    if (bytes > MAX_TOKEN_BYTES) break;
    bounded.push(token);
  }
  return bounded;
}

/** What the search index has of a post with these texts. No phrase spans two of them. */
export function toSearchDocument(texts: readonly string[]): SearchDocument {
  const tokens = new Set<string>();
  let all = '';
  for (const text of texts) {
    const normal = normalText(text);
    const loose = looseText(text, normal);
    all += normal;
    addTokens(tokens, normal);
    if (loose === normal) continue;
    all += loose;
    addLooseTokens(tokens, loose);
  }
  return { normal: all, tokens: boundedTokens(tokens) };
}

/** The fields of a post whose texts a search reads (D16). */
export const SEARCHED_FIELDS = [
  'title',
  'text',
  'question',
  'options',
  'excerpt',
  'content',
  'tags',
  'categories',
  'link',
  'featuredMedia',
  'media',
] as const satisfies readonly (keyof Post)[];

/** A post, as far as a search reads it. */
export type SearchedPost = Pick<
  Post,
  'title' | 'text' | 'question' | 'options' | 'excerpt' | 'content' | 'tags' | 'categories'
> & {
  readonly link: Pick<NonNullable<Post['link']>, 'title'> | null;
  readonly featuredMedia: Pick<NonNullable<Post['featuredMedia']>, 'altText'> | null;
  readonly media: readonly Pick<Post['media'][number], 'altText'>[];
};

const FIELDS: ReadonlySet<keyof Post> = new Set(SEARCHED_FIELDS);

/** Whether a change of these fields changes what a search finds. */
export const changesSearch = (changed: readonly (keyof Post)[]): boolean =>
  changed.some((field) => FIELDS.has(field));

/** The texts of a post that a search reads. */
export const searchedTexts = ({
  title,
  text,
  question,
  options,
  excerpt,
  content,
  tags,
  categories,
  link,
  featuredMedia,
  media,
}: SearchedPost): string[] =>
  [
    title,
    text,
    question,
    ...options,
    excerpt,
    ...contentTexts(content),
    ...tags,
    ...categories,
    link?.title,
    featuredMedia?.altText,
    ...media.map(({ altText }) => altText),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
