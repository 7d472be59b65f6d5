import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import { isPending, type StoredState } from '../../domain/posts/states.js';
import { enumKeys, type PostType } from '../../domain/vocabulary.js';
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
export const creatorAt = (n: number): DemoUserKey => CREATORS[n % CREATORS.length]!;
/** Pending posts are always those of a member who may not approve (D24). */
export const creatorFor = (storedState: StoredState, otherwise: DemoUserKey): DemoUserKey =>
  isPending(storedState) ? 'editor' : otherwise;

/** Every pair of a network and one of its post types. */
export const NETWORK_POST_TYPES: readonly { network: Network; type: PostType }[] =
  enumKeys<Network>(NETWORKS).flatMap((network) =>
    NETWORKS[network].postTypes.map((type) => ({ network, type })),
  );
/** Steps by seven, so that small groups of posts cover different networks. */
export const typeAt = (n: number) => NETWORK_POST_TYPES[(n * 7) % NETWORK_POST_TYPES.length]!;
