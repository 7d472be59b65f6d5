import { NETWORKS, type AccountType, type Network } from '../networks/networks.js';
import type { Plan, PostType } from '../enums.js';

/** A row of the interface document's table "Daily post limits". */
interface DailyCapRow {
  readonly network: Network;
  /** The account types whose posts count toward this row (D39). */
  readonly accountTypes: readonly AccountType[];
  /** What is counted; an account has one count for each post kind. */
  readonly postKind: string;
  /**
   * The post types that count toward this row; null for all types without a row of their own (D39).
   */
  readonly postTypes: readonly PostType[] | null;
  /** Publications in any 24 hours, by the plan of the workspace's owner (D34). */
  readonly limits: Readonly<Record<Plan, number>>;
  /** The row's heading in the document. */
  readonly source: string;
}

type Narrowing = Partial<Pick<DailyCapRow, 'accountTypes' | 'postTypes'>>;

function row(
  network: Network,
  postKind: string,
  [free, professional, business]: [number, number, number],
  source: string,
  only: Narrowing = {},
): DailyCapRow {
  return {
    network,
    postKind,
    limits: { free, professional, business },
    source,
    accountTypes: NETWORKS[network].accountTypes,
    postTypes: null,
    ...only,
  };
}

const STORIES = { postTypes: ['story'] } as const satisfies Narrowing;

/** The complete table, in the document's order (Daily post limits). */
export const DAILY_CAPS: readonly DailyCapRow[] = [
  row('facebook', 'post', [12, 24, 36], 'Large general network posts and reels (per profile)'),
  row('facebook', 'story', [12, 24, 36], 'Large general network stories', STORIES),
  row('instagram', 'post', [15, 20, 25], 'Photo-sharing network posts and reels'),
  row('instagram', 'story', [15, 20, 25], 'Photo-sharing network stories', STORIES),
  row('threads', 'post', [150, 200, 250], 'Text-conversation app posts'),
  row('tiktok', 'video', [15, 20, 25], 'Short-video network videos'),
  row('twitter', 'post', [25, 50, 100], 'Short-message network posts'),
  row('mastodon', 'post', [25, 50, 100], 'Federated microblog posts'),
  row('bluesky', 'post', [25, 50, 100], 'Decentralized microblog posts'),
  row('linkedin', 'post', [10, 12, 14], 'Professional network profile posts', {
    accountTypes: ['profile'],
  }),
  row('linkedin', 'post', [12, 18, 24], 'Professional network page posts', {
    accountTypes: ['page'],
  }),
  row('pinterest', 'pin', [12, 24, 36], 'Pin board pins'),
  row('google', 'update', [5, 10, 15], 'Business-listing updates'),
  row('youtube', 'video', [5, 10, 15], 'Video network videos and shorts'),
  row('wordpress', 'article', [12, 18, 24], 'Blog/CMS articles'),
  row('telegram', 'message', [5, 10, 15], 'Messaging network messages'),
];

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
