import type { Refusal } from '../../../domain/errors.js';
import type { Account, Post } from '../../../domain/posts/post.js';
import type { ScheduleInput } from './action-request.js';

type GivenAccount =
  | { readonly kind: 'given'; readonly values: Partial<Post> }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const refuse = (message: string): GivenAccount => ({
  kind: 'refused',
  refusal: { code: 'RULE_VIOLATION', message, path: ['accountId'], rule: 'D48' },
});

/**
 * The account that an idea gets; a post keeps the one that it has (D48). `account`: the account of
 * `accountId`, null if the workspace has none with this ID.
 */
export function givenAccount(
  post: Post,
  { mode, accountId }: Pick<ScheduleInput, 'mode' | 'accountId'>,
  account: Account | null,
): GivenAccount {
  if (accountId === null || accountId === post.accountId)
    return post.account || mode === 'draft'
      ? { kind: 'given', values: {} }
      : refuse('accountId is required: the draft has no account.');
  if (!account) return refuse('No account of this workspace has this ID.');
  if (post.account)
    return refuse(
      `The post belongs to the account ${post.account.name}. Only drafts without an account can be given one.`,
    );
  return { kind: 'given', values: { account, accountId: account.id, network: account.network } };
}
