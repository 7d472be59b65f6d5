import type { PostWith } from '../posts/post-query.js';
import { toPostState, type PostState } from '../posts/states.js';
import { timestampOrNull } from '../timestamp.js';
import { failuresById, type Job } from './job.js';

/** A post of a payload, in the spelling of REST v1. */
export interface PayloadPost {
  readonly index: number;
  readonly id: string;
  readonly account_id: string | null;
  readonly network: string | null;
  readonly state: PostState;
  readonly scheduled_at: string | null;
  readonly post_link: string | null;
}

/** The payload of a job as the interface document spells it (D42, D51). */
export interface JobPayload {
  readonly failures: Readonly<Record<string, readonly string[]>>;
  /** The posts of a creation as they are now; those that the viewer does not see are missing. */
  readonly posts?: readonly PayloadPost[];
  readonly warnings?: readonly string[];
}

/** The fields of a post that a payload shows. */
export const PAYLOAD_FIELDS = new Set(['network', 'scheduledAt', 'postLink'] as const);
type ShownPost = PostWith<'network' | 'scheduledAt' | 'postLink'>;

/** The payload of a job; `posts` are the visible ones of a creation, by database ID. */
export function toJobPayload(
  { failures, result }: Job,
  posts: ReadonlyMap<number, ShownPost>,
): JobPayload {
  if (!result) return { failures: failuresById(failures) };
  return {
    posts: result.posts.flatMap(({ index, databaseId }): PayloadPost[] => {
      const post = posts.get(databaseId);
      return post
        ? [
            {
              index,
              id: post.id,
              account_id: post.accountId,
              network: post.network,
              state: toPostState(post.storedState),
              scheduled_at: timestampOrNull(post.scheduledAt),
              post_link: post.postLink,
            },
          ]
        : [];
    }),
    failures: failuresById(failures),
    warnings: result.warnings,
  };
}
