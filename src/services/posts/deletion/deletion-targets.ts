import type { Viewer } from '../../../domain/access/viewer.js';
import type { Refusal } from '../../../domain/errors.js';
import { readPostId } from '../../../domain/posts/post-id.js';
import type { PostWith } from '../../../domain/posts/post-query.js';
import { deletability } from '../../../domain/rules/delete-rules.js';
import {
  isOnNetwork,
  removalRefusal,
  type RemovalSubject,
} from '../../../domain/rules/removal-rules.js';
import { missingPostRefusal } from '../missing-post.js';
import type { DeleteRequest } from '../post-outcomes.js';
import type { PostLookup } from '../post-ports.js';
import type { ChangeDependencies } from '../update-post.js';

/** The fields that the rules of a deletion read. */
const RULE_FIELDS = ['version', 'queuedAt', 'armedAt', 'reminder', 'hasQueuedChild'] as const;
const FIELDS = new Set(RULE_FIELDS);
/** Also those that the rules of a removal from a network read. */
const REMOVAL_FIELDS = new Set([...RULE_FIELDS, 'account', 'remoteId'] as const);

/** A post to delete, with what the rules read: the account only of a removal. */
export type DeletablePost = PostWith<(typeof RULE_FIELDS)[number]> & Partial<RemovalSubject>;

/** One ID as sent, with its post or refusal. */
export interface DeletionTarget {
  readonly id: string;
  readonly post: DeletablePost | null;
  readonly refusal: Refusal | null;
  /** Whether the post has to be removed from its network first. */
  readonly isRemoved: boolean;
}

/** The distinct posts, each with the ID that came first (D30). */
export async function readTargets(
  { store }: ChangeDependencies,
  viewer: Viewer,
  { ids, onNetwork }: DeleteRequest,
): Promise<DeletionTarget[]> {
  const postIds = ids.map(readPostId);
  const lookups: readonly PostLookup<DeletablePost>[] = onNetwork
    ? await store.findEach(viewer, postIds, REMOVAL_FIELDS)
    : await store.findEach(viewer, postIds, FIELDS);
  const targets = ids.map((id, index): DeletionTarget => {
    const lookup = lookups[index]!;
    if (lookup.kind !== 'found')
      return { id, post: null, refusal: missingPostRefusal(lookup.kind), isRemoved: false };
    const { post } = lookup;
    const isRemoved = onNetwork && isOnNetwork(post.storedState);
    const refusal =
      deletability(post, viewer) ?? (isRemoved ? removalRefusal(post as RemovalSubject) : null);
    return { id, post, refusal, isRemoved };
  });
  const keys = targets.map(({ id, post }) => post?.id ?? id.toLowerCase());
  return targets.filter((_, index) => keys.indexOf(keys[index]!) === index);
}
