import {
  looseText,
  isRun,
  normalText,
  runPairs,
  searchPieces,
  STARTS_HANGUL,
  toWordToken,
} from './search-text.js';
import type { Post } from '../posts/post.js';

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
  'link',
  'featuredMedia',
  'media',
] as const satisfies readonly (keyof Post)[];

/** A post, as far as a search reads it. */
export type SearchedPost = Pick<Post, 'title' | 'text' | 'question' | 'options' | 'excerpt'> & {
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
    link?.title,
    featuredMedia?.altText,
    ...media.map(({ altText }) => altText),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
