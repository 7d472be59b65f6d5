import { enumKeys, type PostType, type VocabularyEntry } from '../enums.js';
import { MEDIA_TYPES, type MediaType } from '../posts/post-content.js';
import type { Account } from '../posts/post.js';
import { supportsEdits } from './live-fields.js';
import { NETWORKS, type Network } from './networks.js';

/** What a network allows to find out after a call that ended without a response (D54). */
export const DELIVERY_GUARANTEES = {
  exact: {
    description: 'The network itself prevents or detects duplicate publications.',
    source: 'D54',
  },
  compared: {
    description:
      'Before sending a post again, the gateway compares it with the account’s recent posts.',
    source: 'D54',
  },
  cannot_tell: {
    description:
      'The gateway cannot find out whether the network accepted a post. If a call ends without a response, a person has to decide what to do.',
    source: 'D54',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type DeliveryGuarantee = keyof typeof DELIVERY_GUARANTEES;

/** What the service does on a network for accounts that are not on the sandbox network. */
export interface PublishingCapabilities {
  /** Whether the service publishes posts there. */
  readonly publishes: boolean;
  /** Whether the service can remove a published post there. */
  readonly unpublishes: boolean;
  readonly guarantee: DeliveryGuarantee;
  /** The types of posts that it publishes. */
  readonly postTypes: readonly PostType[];
  /** The types of media that it publishes in `media`. */
  readonly mediaTypes: readonly MediaType[];
}

const unpublished = (guarantee: DeliveryGuarantee): PublishingCapabilities => ({
  publishes: false,
  unpublishes: false,
  guarantee,
  postTypes: [],
  mediaTypes: [],
});

/** What the service does on each network. An adapter that publishes changes its row. */
export const PUBLISHING_CAPABILITIES: Readonly<Record<Network, PublishingCapabilities>> = {
  facebook: unpublished('compared'),
  instagram: unpublished('exact'),
  threads: unpublished('exact'),
  tiktok: unpublished('exact'),
  twitter: unpublished('compared'),
  mastodon: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    postTypes: NETWORKS.mastodon.postTypes,
    mediaTypes: ['photo', 'gif', 'video'],
  },
  bluesky: {
    publishes: true,
    unpublishes: true,
    guarantee: 'exact',
    postTypes: ['status', 'link', 'photo'],
    mediaTypes: ['photo'],
  },
  linkedin: unpublished('compared'),
  pinterest: unpublished('compared'),
  google: unpublished('compared'),
  youtube: unpublished('exact'),
  wordpress: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    postTypes: NETWORKS.wordpress.postTypes,
    // The pictures of an article are part of its content, or its featured picture.
    mediaTypes: [],
  },
  telegram: {
    publishes: true,
    unpublishes: true,
    guarantee: 'cannot_tell',
    postTypes: NETWORKS.telegram.postTypes,
    mediaTypes: MEDIA_TYPES,
  },
};

/** Whether the service can publish posts of the account: all of them on the sandbox network. */
export const canPublish = ({ network, sandbox }: Pick<Account, 'network' | 'sandbox'>): boolean =>
  sandbox || PUBLISHING_CAPABILITIES[network].publishes;

/** Whether the service can remove posts of the account: all of them on the sandbox network. */
export const canUnpublish = ({ network, sandbox }: Pick<Account, 'network' | 'sandbox'>): boolean =>
  sandbox || PUBLISHING_CAPABILITIES[network].unpublishes;

/**
 * The networks that the service calls, to publish or to edit posts: their accounts are connected.
 */
export const CONNECTED_NETWORKS: readonly Network[] = enumKeys<Network>(NETWORKS).filter(
  (network) => PUBLISHING_CAPABILITIES[network].publishes || supportsEdits(network),
);
