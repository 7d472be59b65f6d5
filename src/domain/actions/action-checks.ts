import { canApprove, type Viewer } from '../access/viewer.js';
import { accountRefusals } from '../creation/account-refusals.js';
import { checkPublishable } from '../creation/check-publishable.js';
import type { PostContent } from '../networks/network-definition.js';
import type { ErrorCode, Refusal } from '../errors.js';
import type { Post } from '../posts/post.js';
import type { StoredState } from '../posts/states.js';
import { isUnconfirmed } from '../publishing/publication.js';
import type { DeleteSubject } from '../rules/delete-rules.js';
import { PUBLISHING_REFUSAL } from '../rules/edit-rights.js';
import { removalRefusal } from '../rules/removal-rules.js';

/** The fields of a post that the rules about actions read. */
export type ActionSubject = DeleteSubject &
  PostContent &
  Pick<Post, 'account' | 'remoteId' | 'publicationRecord' | 'recurring' | 'recycling'>;

/** Why a viewer may not do something with a post, or null. */
export type Check = (post: ActionSubject, viewer: Viewer) => Refusal | null;

/** A refusal of a whole request. */
export const refuse = (
  message: string,
  rule: string,
  code: ErrorCode = 'RULE_VIOLATION',
): Refusal => ({ code, message, path: [], rule });

/** Refuses a post in another state than these. */
export const inStates =
  (states: readonly StoredState[], message: string, rule: string): Check =>
  ({ storedState }) =>
    states.includes(storedState) ? null : refuse(message, rule);

/** Refuses a post that is being sent to its network (D57). */
export const notBeingSent: Check = ({ armedAt }) => (armedAt === null ? null : PUBLISHING_REFUSAL);

/** Refuses a post while it is unknown whether it is on its network (D54). */
export const notUnconfirmed: Check = (post) =>
  isUnconfirmed(post)
    ? refuse(
        'It is unknown whether the post was published. Use resolvePublication, or retryPosts with confirmNotLive.',
        'D54',
      )
    : null;

/** Refuses what the service could not publish for the account (D48). */
export const forUsableAccount: Check = (post) => accountRefusals(post.account, post)[0] ?? null;

/** Refuses content that the network of the post would not take (D47). */
export const withValidContent: Check = (post) =>
  (post.account && checkPublishable(post, post.account)[0]) ?? null;

/** Refuses posts that the service cannot remove from their networks (D62). */
export const removable: Check = (post) => removalRefusal(post);

/** Refuses members who cannot approve posts (D4). */
export const byApprover: Check = (_post, viewer) =>
  canApprove(viewer.role)
    ? null
    : refuse('Only owners and admins can approve and decline posts.', 'D4', 'FORBIDDEN');
