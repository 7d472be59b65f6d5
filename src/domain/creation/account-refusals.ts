import type { Refusal } from '../errors.js';
import { canPublish } from '../networks/networks.js';
import type { Account, Post } from '../posts/post.js';

const refuse = (message: string): Refusal[] => [
  { code: 'RULE_VIOLATION', message, path: ['accountId'], rule: 'D48' },
];

/** Why the account takes the post as a draft or a reminder only (D48). */
export function accountRefusals(
  account: Account | null,
  { reminder }: Pick<Post, 'reminder'>,
): Refusal[] {
  if (!account || reminder) return [];
  if (account.needsReauth)
    return refuse(
      `The account ${account.name} needs reauthorization. Connect it again, or create a draft or a reminder.`,
    );
  return canPublish(account)
    ? []
    : refuse(`The gateway does not publish to ${account.network}. Create a draft or a reminder.`);
}
