import { readUrl, readList, type JsonObject } from './activity-json.js';

/**
 * Audience of a post: everyone, everyone but not listed in timelines, followers, or only mentioned
 * accounts.
 */
export type Audience = 'public' | 'unlisted' | 'followers' | 'direct';

/** The three spellings of the public collection. */
const PUBLIC_COLLECTION: ReadonlySet<unknown> = new Set([
  'https://www.w3.org/ns/activitystreams#Public',
  'as:Public',
  'Public',
]);

/**
 * Mastodon puts the public collection in `to` for public posts and in `cc` for unlisted ones;
 * followers-only posts name only the followers collection.
 */
export function readAudience(note: JsonObject, actor: string): Audience {
  const [to, cc] = [readList(note['to']), readList(note['cc'])];
  if (to.some((recipient) => PUBLIC_COLLECTION.has(recipient))) return 'public';
  if (cc.some((recipient) => PUBLIC_COLLECTION.has(recipient))) return 'unlisted';
  return [...to, ...cc].some((recipient) => readUrl(recipient) === `${actor}/followers`)
    ? 'followers'
    : 'direct';
}
