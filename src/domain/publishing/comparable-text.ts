/** A mention of an account on another server, which networks show without the server. */
const REMOTE_MENTION = /(@[\p{L}\p{N}_.-]+)@[\p{L}\p{N}.-]+/gu;
/** What networks add, drop or replace: white space, invisible characters and punctuation. */
const VARIABLE = /[\s\p{C}\p{P}\p{Sk}\u{fe0f}]/gu;

/**
 * A text without everything that networks change when they show it, so that a post can be
 * recognized by its text (D54). A text of nothing else keeps its punctuation.
 */
export function comparableText(text: string): string {
  const normal = text.normalize('NFKC').toLowerCase().replace(REMOTE_MENTION, '$1');
  const comparable = normal.replace(VARIABLE, '');
  return comparable === '' ? normal.replace(/\s/gu, '') : comparable;
}
