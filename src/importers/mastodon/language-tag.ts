const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z\d]{1,8}){0,4}$/i;
/** The start of a subtag in a key that was converted to camel case. */
const CAMEL_CASE_SUBTAG = /(?<=[a-z\d])(?=[A-Z])/g;

/**
 * Reads the key of a translation as a language tag; null if it is none. Mastodon writes the keys of
 * archives in camel case: `zhCn` for zh-CN, `srLatn` for sr-Latn.
 */
export function readLanguageTag(key: string): string | null {
  const tag = key.includes('-') ? key : key.replace(CAMEL_CASE_SUBTAG, '-');
  if (!LANGUAGE_TAG.test(tag)) return null;
  const [language = '', ...subtags] = tag.toLowerCase().split('-');
  return [language, ...subtags.map(toSubtag)].join('-');
}

/** Scripts have four letters and are capitalized; regions have two letters, in capitals. */
function toSubtag(subtag: string): string {
  if (/^[a-z]{4}$/.test(subtag)) return subtag.charAt(0).toUpperCase() + subtag.slice(1);
  return /^[a-z]{2}$/.test(subtag) ? subtag.toUpperCase() : subtag;
}
