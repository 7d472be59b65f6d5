import {
  toWordToken,
  isRun,
  MAX_WORD_TOKEN,
  normalText,
  runPairs,
  searchPieces,
  searchTokens,
} from './search-text.js';

/**
 * One term of a query. A text contains it if all `tokens` are among the text's searchTokens and
 * `pattern`, unless null, is a substring of the text's normal form. The pattern is set only if the
 * tokens do not prove the match: for phrases, runs longer than two characters and words longer than
 * a token.
 */
export interface SearchTerm {
  tokens: string[];
  pattern: string | null;
}

/** No text contains this term. */
const NO_MATCH: SearchTerm = { tokens: [''], pattern: null };

/**
 * A text matches if it contains every term of `all` and none of `none`; if both are empty, every
 * text matches.
 */
interface SearchQuery {
  all: SearchTerm[];
  none: SearchTerm[];
}

/**
 * A quoted phrase, or text between spaces, commas, semicolons and quotes, with an optional minus
 * before it.
 */
const CHUNKS = /(-?)"([^"]*)"|(-?)([^\s,;，；、。"]+)/gu;

/**
 * Reads a query (D16): words separated by spaces, `"a phrase"` in straight or curly quotes, and a
 * minus before either to exclude it. Text with punctuation inside (a URL, a hyphenated word) is a
 * phrase of its words; # and @ are ignored, and so is an unpaired quote. Never throws; an empty
 * query matches every text, and a query of signs only matches none.
 */
export function readSearchQuery(query: string): SearchQuery {
  const all: SearchTerm[] = [];
  const none: SearchTerm[] = [];
  for (const [, phraseMinus, phrase, wordMinus, word] of pairedQuotes(query).matchAll(CHUNKS)) {
    const term = searchTerm(normalText(phrase ?? word ?? ''));
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

function searchTerm(normal: string): SearchTerm | null {
  const pieces = searchPieces(normal);
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return null;
  const tokens = [...new Set(pieces.flatMap(pieceTokens))];
  // A token of maximum length may be the beginning of a longer word.
  const isProved =
    pieces.length === 1 &&
    tokens.length === 1 &&
    tokens[0] === first &&
    first.length < MAX_WORD_TOKEN;
  const pattern = `${isRun(first) ? '' : ' '}${pieces.join(' ')}${isRun(last) ? '' : ' '}`;
  return { tokens, pattern: isProved ? null : pattern };
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

/**
 * Matches a query in memory. The SQL filter returns the same result from the stored tokens and
 * normal form.
 */
export function matchesSearch(query: SearchQuery, normal: string): boolean {
  const present = new Set(searchTokens(normal));
  const has = ({ tokens, pattern }: SearchTerm): boolean =>
    tokens.every((token) => present.has(token)) && (pattern === null || normal.includes(pattern));
  return query.all.every(has) && !query.none.some(has);
}
