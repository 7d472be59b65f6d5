import { NETWORKS, NETWORK_KINDS, type Network } from '../networks/networks.js';
import type { NetworkField } from '../posts/post-fields.js';
import type { AppliesTo, PostType } from '../enums.js';
import type { EditSubject } from './edit-rights.js';

/** A field of the patch, or one setting inside `details`. */
export type EditablePath =
  Exclude<NetworkField, 'details'> | 'labels' | 'details.language' | 'details.textFormatPresetId';

/** A field that may change after publication. */
export interface PublishedEditRule {
  readonly field: EditablePath;
  /** In Unicode code points (D22). */
  readonly maxLength: number | null;
  /** Empty: every type. */
  readonly types: readonly PostType[];
  readonly appliesTo: AppliesTo;
}

const onNetwork = (
  field: EditablePath,
  overrides: Partial<Pick<PublishedEditRule, 'maxLength' | 'types'>> = {},
): PublishedEditRule => ({
  field,
  maxLength: null,
  types: [],
  appliesTo: 'service_and_network',
  ...overrides,
});
const LABELS: PublishedEditRule = {
  field: 'labels',
  maxLength: null,
  types: [],
  appliesTo: 'service',
};

/**
 * The interface document's table "Fields updatable after publication". D22 maps its terms to patch
 * fields.
 */
export const PUBLISHED_EDIT_RULES = {
  linkedin: [onNetwork('text'), LABELS],
  youtube: [onNetwork('title', { maxLength: 100 }), onNetwork('text', { maxLength: 5000 }), LABELS],
  google: [onNetwork('text', { maxLength: 1500 }), LABELS],
  facebook: [
    onNetwork('text'),
    onNetwork('title', { types: ['video'] }),
    onNetwork('details.textFormatPresetId'),
    LABELS,
  ],
  wordpress: [
    onNetwork('title'),
    onNetwork('content'),
    onNetwork('excerpt'),
    onNetwork('url'),
    onNetwork('featuredMedia'),
    onNetwork('categories'),
    onNetwork('tags'),
    LABELS,
  ],
  telegram: [onNetwork('text'), LABELS],
  mastodon: [
    onNetwork('text'),
    onNetwork('title'),
    onNetwork('details.language'),
    onNetwork('options', { types: ['poll'] }),
    onNetwork('duration', { types: ['poll'] }),
    LABELS,
  ],
  twitter: [LABELS],
  pinterest: [LABELS],
  instagram: [LABELS],
  threads: [LABELS],
  bluesky: [LABELS],
  tiktok: [LABELS],
} as const satisfies Record<Network, readonly PublishedEditRule[]>;

/** The rules for a published post; only labels if the network no longer shows the post (D22). */
export const publishedEditRulesFor = (post: EditSubject): readonly PublishedEditRule[] =>
  post.storedState === 'published_posted' && post.network !== null
    ? PUBLISHED_EDIT_RULES[post.network]
    : [LABELS];

/** The `rule` of a refusal: the row of the table that applies to the post. */
export const ruleNameFor = (post: EditSubject): string =>
  post.network === null
    ? 'Update post, rule 2'
    : `Update post, rule 2: ${NETWORK_KINDS[NETWORKS[post.network].kind].description.replace(/\.$/, '')}`;
