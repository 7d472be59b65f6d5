/**
 * The URL, or null if the text is not an absolute URL. To be used instead of `URL.canParse`, which
 * in Node.js 20 returns false for hosts with letters outside ASCII, such as bücher.example, once V8
 * has optimized the call, after some thousand calls.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
