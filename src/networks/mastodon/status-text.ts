import { linkOf } from '../../domain/posts/presented-settings.js';
import type { Post } from '../../domain/posts/post.js';

/** The text of a status: with the question of a poll, and the link of a link post. */
export function statusText(post: Post): string {
  const question = post.type === 'poll' ? (post.question ?? '') : '';
  const url = post.type === 'link' ? (linkOf(post)?.url ?? '') : '';
  return [
    post.text.includes(question) ? '' : question,
    post.text,
    post.text.includes(url) ? '' : url,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
