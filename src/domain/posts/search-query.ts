import {
  cutWord,
  isRun,
  MAX_WORD_TOKEN,
  normalText,
  runPairs,
  searchPieces,
  searchTokens,
} from './search-text.js';

/**
 * One thing a query asks for. A text has it when all `tokens` are among the text's searchTokens and, unless it
 * is null, `pattern` is a substring of the text's normal form. The pattern is there only where the tokens do
 * not prove the match: phrases, runs longer than two characters, words longer than a token.
 */
export interface SearchTerm {
  tokens: string[];
  pattern: string | null;
}

/** A text matches when it has every term of `all` and none of `none`; with both empty, every text matches. */
interface SearchQuery {
  all: SearchTerm[];
  none: SearchTerm[];
}

/** A quoted phrase, or what stands between blanks, commas, semicolons and quotes; either may have a minus before it. */
const CHUNKS = /(-?)"([^"]*)"|(-?)([^\s,;，；、。"]+)/gu;

/**
 * Reads a query (D16): words between blanks, `"a phrase"` in straight or curly quotes, and a minus before
 * either to exclude it. What has punctuation inside (a URL, a hyphenated word) is a phrase of its words; # and
 * @ do not count. A quote without its partner is ignored. Never throws; a query of punctuation alone asks for nothing.
 */
export function readSearchQuery(query: string): SearchQuery {
  const all: SearchTerm[] = [];
  const none: SearchTerm[] = [];
  for (const [, phraseMinus, phrase, wordMinus, word] of pairedQuotes(query).matchAll(CHUNKS)) {
    const term = searchTerm(normalText(phrase ?? word ?? ''));
    if (term) (phraseMinus || wordMinus ? none : all).push(term);
  }
  return { all, none };
}

/** Straightens quotes; takes out the last of an odd number, and lets a minus before it reach the next word. */
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
  // A token as long as the longest may be the cut of another word.
  const isProved =
    pieces.length === 1 &&
    tokens.length === 1 &&
    tokens[0] === first &&
    first.length < MAX_WORD_TOKEN;
  const pattern = `${isRun(first) ? '' : ' '}${pieces.join(' ')}${isRun(last) ? '' : ' '}`;
  return { tokens, pattern: isProved ? null : pattern };
}

/** The fewest tokens that narrow a piece down: the pairs of a run say more than its single characters. */
function pieceTokens(piece: string): string[] {
  if (!isRun(piece)) return [cutWord(piece)];
  const pairs = runPairs(piece);
  return pairs.length > 0 ? pairs : [piece];
}

/** The reader in memory; the one in SQL gives the same answer from the stored tokens and normal form. */
export function matchesSearch(query: SearchQuery, normal: string): boolean {
  const present = new Set(searchTokens(normal));
  const has = ({ tokens, pattern }: SearchTerm): boolean =>
    tokens.every((token) => present.has(token)) && (pattern === null || normal.includes(pattern));
  return query.all.every(has) && !query.none.some(has);
}
