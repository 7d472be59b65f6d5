import {
  looseText,
  isRun,
  MAX_WORD_TOKEN,
  normalText,
  runPairs,
  searchPieces,
  STARTS_HANGUL,
  toWordToken,
} from './search-document.js';

/** A token of the index, or with `isPrefix` every token that begins with it. */
export interface Lexeme {
  readonly token: string;
  readonly isPrefix: boolean;
}

/**
 * One term of a query. A document contains it if it has all lexemes of one of its `forms` (as
 * written, and in its loose form) and, unless `patterns` is null, one of `patterns` is a substring
 * of its normal form. There are patterns only if the lexemes do not prove the match: for phrases,
 * runs longer than two characters, whole Korean words, and words longer than a token.
 */
export interface SearchTerm {
  readonly forms: readonly (readonly Lexeme[])[];
  readonly patterns: readonly string[] | null;
}

/** No document contains this term. */
const NO_MATCH: SearchTerm = { forms: [], patterns: null };

/**
 * A document matches if it contains every term of `all` and none of `none`; if both are empty, every
 * document matches.
 */
export interface SearchQuery {
  readonly all: readonly SearchTerm[];
  readonly none: readonly SearchTerm[];
}

/** Shortest words, in code points, that also match longer words. A Korean syllable is 2 or 3 letters. */
const MIN_PREFIX = 3;
const MIN_KOREAN_PREFIX = 2;

/**
 * A quoted phrase, or text between spaces, commas, semicolons and quotes, with an optional minus
 * before it.
 */
const CHUNKS = /(-?)"([^"]*)"|(-?)([^\s,;，；、。"]+)/gu;

/**
 * Reads a query (D16): words separated by spaces, `"a phrase"` in straight or curly quotes, and a
 * minus before either to exclude it. Words match from their beginning, those of a phrase as a whole.
 * Text with punctuation inside (a URL, a hyphenated word) is a phrase of its words; # and @ are
 * ignored, and so is an unpaired quote. Never throws; an empty query matches every document, and a
 * query of signs only matches none.
 */
export function readSearchQuery(query: string): SearchQuery {
  const all: SearchTerm[] = [];
  const none: SearchTerm[] = [];
  for (const [, phraseMinus, phrase, wordMinus, word] of pairedQuotes(query).matchAll(CHUNKS)) {
    const term = searchTerm(phrase ?? word ?? '', phrase !== undefined);
    if (term) (phraseMinus || wordMinus ? none : all).push(term);
  }
  const hasOnlySigns = all.length + none.length === 0 && query.trim() !== '';
  return hasOnlySigns ? { all: [NO_MATCH], none } : { all, none };
}

/**
 * Normalizes quotes; removes the last one if their number is odd, and applies a minus before it to
 * the next word.
 */
function pairedQuotes(query: string): string {
  const straight = query.replace(/[“”„‟＂]/g, '"');
  if (straight.split('"').length % 2 === 1) return straight;
  const last = straight.lastIndexOf('"');
  return (
    straight.slice(0, last) + (straight[last - 1] === '-' ? '' : ' ') + straight.slice(last + 1)
  );
}

function searchTerm(text: string, isPhrase: boolean): SearchTerm | null {
  const normal = normalText(text);
  const loose = looseText(text, normal);
  if (normal === '') return null;
  const matchesLonger = !isPhrase && isPrefixWord(normal);
  const forms = [toForm(normal, matchesLonger)];
  // Of a word without its particle or article, longer words have another meaning.
  if (loose !== normal) forms.push(toForm(loose, matchesLonger && loose.length >= normal.length));
  return {
    forms: forms.map(({ lexemes }) => lexemes),
    patterns: forms.every(({ isProved }) => isProved) ? null : forms.map(({ pattern }) => pattern),
  };
}

/** Whether a normal form is one word that also matches longer words. */
function isPrefixWord(normal: string): boolean {
  const [word, ...others] = searchPieces(normal);
  if (word === undefined || others.length > 0 || isRun(word)) return false;
  return [...word].length >= (STARTS_HANGUL.test(word) ? MIN_KOREAN_PREFIX : MIN_PREFIX);
}

interface Form {
  readonly lexemes: readonly Lexeme[];
  readonly pattern: string;
  /** Whether every document with the lexemes has the pattern. */
  readonly isProved: boolean;
}

function toForm(normal: string, matchesLonger: boolean): Form {
  const pieces = searchPieces(normal);
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  const tokens = [...new Set(pieces.flatMap(pieceTokens))];
  // Korean words without their particle are not among the tokens, see toSearchDocument.
  const isPrefix = (token: string): boolean => matchesLonger || STARTS_HANGUL.test(token);
  return {
    lexemes: tokens.map((token) => ({ token, isPrefix: isPrefix(token) })),
    pattern: `${isRun(first) ? '' : ' '}${pieces.join(' ')}${isRun(last) || matchesLonger ? '' : ' '}`,
    // A token of maximum length may be the beginning of a longer word.
    isProved:
      pieces.length === 1 &&
      tokens.length === 1 &&
      tokens[0] === first &&
      first.length < MAX_WORD_TOKEN &&
      (matchesLonger || !isPrefix(first)),
  };
}

/**
 * The most selective tokens of a piece: pairs of a run are more selective than its single
 * characters.
 */
function pieceTokens(piece: string): string[] {
  if (!isRun(piece)) return [toWordToken(piece)];
  const pairs = runPairs(piece);
  return pairs.length > 0 ? pairs : [piece];
}
