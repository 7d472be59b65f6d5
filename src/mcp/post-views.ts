import type { Post } from '../domain/posts/post.js';
import type { PostView } from '../domain/posts/post-query.js';
import { toPostState } from '../domain/posts/states.js';
import { presentTime } from './tool-times.js';

/** Code points of a text in a list. */
const EXCERPT = 280;
/** Characters of an answer: models read every one of them. */
export const MAX_ANSWER = 20_000;
/** Characters that lists of an answer may take, so that the rest fits. */
const LIST_BUDGET = 17_000;

/** A text of at most `max` code points, and whether it was cut. */
export function excerpt(
  text: string,
  max = EXCERPT,
): { readonly text: string; readonly text_truncated?: true } {
  const points = Array.from(text.slice(0, max * 2));
  return points.length > max || text.length > max * 2
    ? { text: points.slice(0, max).join(''), text_truncated: true }
    : { text };
}

/** The fields of a post that `presentPost` reads. */
export const POST_FIELDS: ReadonlySet<keyof Post> = new Set([
  'version',
  'text',
  'title',
  'type',
  'network',
  'scheduledAt',
  'postLink',
  'groupId',
]);

/** A post in a list. `auto` and the like are in `get_post`. */
export const presentPost = (post: PostView, zone: string) => ({
  id: post.id,
  version: post.version ?? null,
  state: toPostState(post.storedState),
  type: post.type ?? null,
  ...excerpt(post.text ?? ''),
  ...(post.title && { title: excerpt(post.title).text }),
  network: post.network ?? null,
  account_id: post.accountId,
  time: presentTime(post.scheduledAt, zone),
  url: post.postLink ?? null,
  ...(post.groupId && { group_id: post.groupId }),
});

/** The first items that fit into an answer, at least one; each is at most some thousand characters. */
export function fitting<T>(items: readonly T[], budget = LIST_BUDGET): readonly T[] {
  let length = 0;
  const end = items.findIndex((item) => (length += JSON.stringify(item).length + 1) > budget);
  return end < 0 ? items : items.slice(0, Math.max(1, end));
}
