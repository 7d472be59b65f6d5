import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import { isPending, type StoredState } from '../../domain/posts/states.js';
import { enumKeys, type PostType } from '../../domain/enums.js';
import type { DemoDates } from '../demo-dates.js';
import type { DemoUserKey } from '../demo-users.js';
import type { DemoWorkspace } from '../demo-workspace.js';
import type { PostSpec } from './post-builder.js';

/** Specifications of posts that demonstrate one topic. */
export type PostGroup = (dates: DemoDates, demoWorkspace: DemoWorkspace) => PostSpec[];

const CREATORS: readonly DemoUserKey[] = [
  'owner',
  'editor',
  'admin',
  'editorWithPostActions',
  'owner',
  'editor',
  'viewer',
];
/** The creator of the n-th post of a group, in rotation. */
export const creatorAt = (n: number): DemoUserKey => CREATORS[n % CREATORS.length]!;
/**
 * The creator of a post in this state. Pending posts are created by a member without approval
 * rights (D24).
 */
export const creatorFor = (storedState: StoredState, defaultCreator: DemoUserKey): DemoUserKey =>
  isPending(storedState) ? 'editor' : defaultCreator;

/** Every pair of a network and one of its post types. */
export const NETWORK_POST_TYPES: readonly { network: Network; type: PostType }[] =
  enumKeys<Network>(NETWORKS).flatMap((network) =>
    NETWORKS[network].postTypes.map((type) => ({ network, type })),
  );
/**
 * The network and type of the n-th post of a group. Steps by seven, so that small groups cover
 * different networks.
 */
export const typeAt = (n: number) => NETWORK_POST_TYPES[(n * 7) % NETWORK_POST_TYPES.length]!;
