import { LABELS, type PublishedEditRule } from '../networks/network-definition.js';
import { NETWORKS, NETWORK_KINDS, networkKindOf } from '../networks/networks.js';
import type { EditSubject } from './edit-rights.js';

/** The rules for a published post; only labels if the network no longer shows the post (D22). */
export const publishedEditRulesFor = (post: EditSubject): readonly PublishedEditRule[] =>
  post.storedState === 'published_posted' && post.network !== null
    ? NETWORKS[post.network].edits
    : [LABELS];

/** The `rule` of a refusal: the row of the table that applies to the post. */
export const ruleNameFor = (post: EditSubject): string =>
  post.network === null
    ? 'Update post, rule 2'
    : `Update post, rule 2: ${NETWORK_KINDS[networkKindOf(post.network)].description.replace(/\.$/, '')}`;
