import { addressOf, listOf, type JsonObject } from './activity-json.js';

/** Whom a post is for: everybody, everybody who looks for it, the followers, or those it names. */
export type Audience = 'public' | 'unlisted' | 'followers' | 'direct';

/** Everybody, in the three ways it may be written. */
const EVERYBODY: ReadonlySet<unknown> = new Set([
  'https://www.w3.org/ns/activitystreams#Public',
  'as:Public',
  'Public',
]);

/** Mastodon addresses a post to everybody in `to`, one that is not listed in `cc`, and one for followers to theirs alone. */
export function audienceOf(note: JsonObject, actor: string): Audience {
  const [to, cc] = [listOf(note['to']), listOf(note['cc'])];
  if (to.some((one) => EVERYBODY.has(one))) return 'public';
  if (cc.some((one) => EVERYBODY.has(one))) return 'unlisted';
  return [...to, ...cc].some((one) => addressOf(one) === `${actor}/followers`)
    ? 'followers'
    : 'direct';
}
