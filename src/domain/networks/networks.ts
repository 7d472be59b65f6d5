import { enumKeys, type PostType, type VocabularyEntry } from '../enums.js';
import { bluesky } from './bluesky.js';
import { facebook } from './facebook.js';
import { google } from './google.js';
import { instagram } from './instagram.js';
import { linkedin } from './linkedin.js';
import { mastodon } from './mastodon.js';
import type {
  CredentialRule,
  GuaranteeRule,
  NetworkDefinition,
  NetworkRateLimit,
} from './network-definition.js';
import { pinterest } from './pinterest.js';
import { telegram } from './telegram.js';
import { threads } from './threads.js';
import { tiktok } from './tiktok.js';
import { twitter } from './twitter.js';
import { wordpress } from './wordpress.js';
import { youtube } from './youtube.js';

const DEFINITIONS = {
  facebook,
  instagram,
  threads,
  tiktok,
  twitter,
  mastodon,
  bluesky,
  linkedin,
  pinterest,
  google,
  youtube,
  wordpress,
  telegram,
} as const;
export type Network = keyof typeof DEFINITIONS;

/** All networks, by their key in the APIs (D1). */
export const NETWORKS: Readonly<Record<Network, NetworkDefinition>> = DEFINITIONS;

/** The interface document's names for networks (D1). */
export type NetworkKind = (typeof DEFINITIONS)[Network]['kind']['key'];
export const NETWORK_KINDS = Object.fromEntries(
  Object.values(DEFINITIONS).map(({ kind: { key, ...entry } }) => [key, entry]),
) as Readonly<Record<NetworkKind, VocabularyEntry>>;

/** The interface document's name for this network (D1). */
export const networkKindOf = (network: Network): NetworkKind => DEFINITIONS[network].kind.key;

/** The post types of a network; null (any type) for drafts without a network (D9). */
export const postTypesOf = (network: Network | null): readonly PostType[] | null =>
  network === null ? null : NETWORKS[network].postTypes;

/** Whether the `url` of a post is its slug, and its link has a URL of its own (D20). */
export const usesSlug = (network: Network | null): boolean =>
  network !== null && NETWORKS[network].url === 'slug';

/**
 * A privacy value in the network's spelling; null if the network does not have it; unchanged if the
 * network has no privacy setting (D6).
 */
export function canonicalPrivacy(network: Network, requested: string): string | null {
  const { privacy } = NETWORKS[network];
  return privacy
    ? (privacy.find((value) => value.toLowerCase() === requested.toLowerCase()) ?? null)
    : requested;
}

/** Whether published posts can be edited on the network, and not only their labels (rule 3). */
export const supportsEdits = (network: Network): boolean =>
  NETWORKS[network].edits.some(({ appliesTo }) => appliesTo === 'service_and_network');

/** What the network allows to find out about posts of this type (D54, D85). */
export function guaranteeOf(network: Network, type: PostType): GuaranteeRule {
  const { guarantee, guaranteeReason: reason, guaranteesOf = {} } = NETWORKS[network].publishing;
  return guaranteesOf[type] ?? { guarantee, reason };
}

/** Whether the service can publish posts of the account: all of them on the sandbox network. */
export const canPublish = ({ network, sandbox }: NetworkOf): boolean =>
  sandbox || NETWORKS[network].publishing.publishes;

/** Whether the service can remove posts of the account: all of them on the sandbox network. */
export const canUnpublish = ({ network, sandbox }: NetworkOf): boolean =>
  sandbox || NETWORKS[network].publishing.unpublishes;

/** The networks whose numbers the service reads (D91); those of the sandbox network always. */
export const COUNTED_NETWORKS: readonly Network[] = enumKeys<Network>(DEFINITIONS).filter(
  (network) => NETWORKS[network].numbers !== undefined,
);

/** The network of an account. */
interface NetworkOf {
  readonly network: Network;
  /** Whether the account is on the sandbox network instead. */
  readonly sandbox: boolean;
}

/**
 * The sandbox sends no requests: this limit keeps one workspace's edits from occupying all workers.
 */
const SANDBOX_RATE_LIMIT: NetworkRateLimit = { maxConcurrent: 20, maxPerMinute: 6_000 };

/**
 * The rate bucket that edits of the account count toward, and its limits; null if its network
 * allows no edits.
 */
export function rateBucketOf({
  network,
  sandbox,
}: NetworkOf): (NetworkRateLimit & { readonly bucket: string }) | null {
  const limit = sandbox ? SANDBOX_RATE_LIMIT : NETWORKS[network].editRate;
  return limit && { bucket: sandbox ? 'sandbox' : network, ...limit };
}

/** One input of `accounts connect`. */
export interface CredentialField extends CredentialRule {
  readonly name: string;
}

/** The inputs of `accounts connect`. */
export const credentialFieldsOf = (network: Network): readonly CredentialField[] =>
  Object.entries(NETWORKS[network].adapter.credentials).map(([name, rule]) => ({
    name,
    ...rule,
  }));
