import type { Refusal } from '../errors.js';
import { canUnpublish } from '../networks/networks.js';
import type { Post } from '../posts/post.js';
import type { StoredState } from '../posts/states.js';

/** The fields of a post that the rules for its removal from the network read. */
export type RemovalSubject = Pick<Post, 'account' | 'remoteId'>;

/** The states of posts that their networks have. A hidden post is still stored there. */
export const STATES_ON_NETWORK = [
  'published_posted',
  'published_hidden',
] as const satisfies readonly StoredState[];

/** Whether the network of the post has it, as far as the service knows. */
export const isOnNetwork = (storedState: StoredState): boolean =>
  (STATES_ON_NETWORK as readonly StoredState[]).includes(storedState);

const refuse = (message: string): Refusal => ({
  code: 'RULE_VIOLATION',
  message,
  path: [],
  rule: 'D62',
});

/**
 * Why the service cannot remove a published post from its network, and what to do; or null (D62).
 */
export function removalRefusal({ account, remoteId }: RemovalSubject): Refusal | null {
  if (account === null)
    return refuse('The post has no account. If it is on a network, delete it there yourself.');
  const { name, network, sandbox, needsReauth } = account;
  if (!canUnpublish(account))
    return refuse(
      `The gateway cannot remove posts from ${network}. Delete the post there yourself.`,
    );
  if (needsReauth)
    return refuse(
      `The account ${name} needs reauthorization. Connect it again, then remove the post.`,
    );
  // The sandbox network also knows posts by the IDs of the service.
  return remoteId === null && !sandbox
    ? refuse(
        `The gateway does not have the ID of the post on ${network}, so it cannot remove the post. Delete the post there yourself.`,
      )
    : null;
}
