import type { AccountType, DailyCapRule } from '../networks/network-definition.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import { enumKeys, type Plan, type PostType } from '../enums.js';

/** A row of the interface document's table "Daily post limits". */
interface DailyCapRow extends Omit<DailyCapRule, 'accountTypes' | 'postTypes'> {
  readonly network: Network;
  readonly accountTypes: readonly AccountType[];
  /** Null for all types without a row of their own (D39). */
  readonly postTypes: readonly PostType[] | null;
}

/** The complete table, in the document's order (Daily post limits). */
export const DAILY_CAPS: readonly DailyCapRow[] = enumKeys<Network>(NETWORKS).flatMap((network) =>
  NETWORKS[network].dailyCaps.map((rule) => ({
    accountTypes: NETWORKS[network].accountTypes,
    postTypes: null,
    ...rule,
    network,
  })),
);

/** The cap of one account and post kind. */
export interface DailyCap {
  /** What is counted, such as `post` or `story`. */
  postKind: string;
  /** Maximum publications in any 24 hours; at least 1. */
  limit: number;
}

/** The rows that apply to an account: one for each post kind. */
export function capRowsOf(network: Network, accountType: AccountType): readonly DailyCapRow[] {
  const networkRows = DAILY_CAPS.filter((cap) => cap.network === network);
  const rowsFor = (type: AccountType): DailyCapRow[] =>
    networkRows.filter(({ accountTypes }) => accountTypes.includes(type));
  const accountRows = rowsFor(accountType);
  // An account type that the network does not define is counted like the network's first account
  // type.
  return accountRows.length > 0 ? accountRows : rowsFor(NETWORKS[network].accountTypes[0]);
}

/**
 * The cap that a post counts toward (D39): reels count as posts, stories have their own row if the
 * document has one, a type without a row counts in the network's only row, and the professional
 * network's row depends on the account type.
 */
export function capFor({
  network,
  accountType,
  postType,
  plan,
}: {
  network: Network;
  accountType: AccountType;
  postType: PostType;
  plan: Plan;
}): DailyCap {
  const rows = capRowsOf(network, accountType);
  const cap =
    rows.find(({ postTypes }) => postTypes?.includes(postType)) ??
    rows.find(({ postTypes }) => postTypes === null);
  if (!cap) throw new Error(`No daily cap is defined for ${network}.`);
  return { postKind: cap.postKind, limit: cap.limits[plan] };
}
