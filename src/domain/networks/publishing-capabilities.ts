import type { VocabularyEntry } from '../enums.js';
import type { Account } from '../posts/post.js';
import type { Network } from './networks.js';

/** What a network allows to find out after a call that ended without a response (D54). */
export const DELIVERY_GUARANTEES = {
  exact: {
    description: 'The network itself prevents or detects duplicate publications.',
    source: 'D54',
  },
  compared: {
    description:
      'Before sending a post again, the service compares it with the account’s recent posts.',
    source: 'D54',
  },
  cannot_tell: {
    description:
      'The service cannot find out whether the network accepted a post. If a call ends without a response, a person has to decide what to do.',
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
}

const unpublished = (guarantee: DeliveryGuarantee): PublishingCapabilities => ({
  publishes: false,
  unpublishes: false,
  guarantee,
});

/** What the service does on each network. An adapter that publishes changes its row. */
export const PUBLISHING_CAPABILITIES: Readonly<Record<Network, PublishingCapabilities>> = {
  facebook: unpublished('compared'),
  instagram: unpublished('exact'),
  threads: unpublished('exact'),
  tiktok: unpublished('exact'),
  twitter: unpublished('compared'),
  mastodon: unpublished('compared'),
  bluesky: unpublished('exact'),
  linkedin: unpublished('compared'),
  pinterest: unpublished('compared'),
  google: unpublished('compared'),
  youtube: unpublished('exact'),
  wordpress: unpublished('compared'),
  telegram: unpublished('cannot_tell'),
};

/** Whether the service can publish posts of the account: all of them on the sandbox network. */
export const canPublish = ({ network, sandbox }: Pick<Account, 'network' | 'sandbox'>): boolean =>
  sandbox || PUBLISHING_CAPABILITIES[network].publishes;
