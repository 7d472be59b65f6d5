import type { Refusal } from '../errors.js';
import { canPublish, NETWORKS } from '../networks/networks.js';
import type { Account, Post } from '../posts/post.js';
import { checkContent } from './check-content.js';
import type { PostContent } from '../networks/network-definition.js';

const violation = (path: readonly string[], message: string): Refusal => ({
  code: 'RULE_VIOLATION',
  message,
  path,
  rule: 'D48',
});

const INSTEAD = 'Create a draft or a reminder.';

/** A post that is to be published for an account. */
type PublishableContent = PostContent & Pick<Post, 'reminder'>;

/**
 * Why the service does not publish posts of this type, or with these media, for the account (D48):
 * the network would not get them. On the sandbox network everything is published.
 */
function capabilityRefusals(
  { type, media, reminder }: PublishableContent,
  { network, sandbox }: Pick<Account, 'network' | 'sandbox'>,
): Refusal[] {
  // Without publication, the account itself is refused.
  if (sandbox || reminder || !canPublish({ network, sandbox })) return [];
  const { postTypes, mediaTypes } = NETWORKS[network].publishing;
  if (!postTypes.includes(type))
    return [
      violation(
        ['type'],
        `The gateway does not publish posts of type ${type} to ${network}. ${INSTEAD}`,
      ),
    ];
  return media.flatMap((item, index) =>
    mediaTypes.includes(item.type)
      ? []
      : [
          violation(
            ['media', String(index)],
            `The gateway does not publish media of type ${item.type} to ${network}. Remove the item, or create a draft or a reminder.`,
          ),
        ],
  );
}

/**
 * Why the post cannot be published for the account as it is: what the service does not publish, or
 * what the network would not take (D47, D48). Paths start at the patch.
 */
export function checkPublishable(
  post: PublishableContent,
  account: Pick<Account, 'network' | 'sandbox'>,
): Refusal[] {
  const refusals = capabilityRefusals(post, account);
  return refusals.length > 0 ? refusals : checkContent(post, account.network);
}
