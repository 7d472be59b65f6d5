import type { StoredState } from '../../domain/posts/states.js';
import type { DemoUserKey } from '../demo-users.js';
import type { PostSpec } from './post-builder.js';
import { creatorAt, typeAt, type PostGroup } from './post-creators.js';

const DRAFTS: readonly { storedState: StoredState; creators: readonly DemoUserKey[] }[] = [
  {
    storedState: 'draft_dated',
    creators: ['owner', 'editor', 'admin', 'viewer', 'editorWithPostActions'],
  },
  {
    storedState: 'draft_undated',
    creators: ['owner', 'editor', 'admin', 'viewer', 'editorWithPostActions'],
  },
  { storedState: 'draft_public_dated', creators: ['owner', 'editor', 'admin', 'editor'] },
  { storedState: 'draft_public_undated', creators: ['owner', 'editor', 'admin', 'editor'] },
  {
    storedState: 'draft_private_dated',
    creators: ['owner', 'editor', 'owner', 'editor', 'editorWithPostActions'],
  },
  {
    storedState: 'draft_private_undated',
    creators: ['owner', 'editor', 'owner', 'editor', 'viewer'],
  },
];
/** Drafts of every state. */
export const draftPosts: PostGroup = ({ future }) =>
  DRAFTS.flatMap(({ storedState, creators }, i) =>
    creators.map((creator, n): PostSpec => ({
      // The third draft of each state has no account yet (D9).
      ...(n === 2 ? { type: 'status', network: null } : typeAt(i * 6 + n + 3)),
      storedState,
      creator,
      scheduledAt: storedState.endsWith('undated') ? null : future(2 * n + i),
    })),
  );

/** Posts whose publication failed. */
export const failedPosts: PostGroup = ({ past }) =>
  [0, 1, 2, 3].map((n) => ({
    ...typeAt(n * 3 + 5),
    storedState: 'failed',
    creator: creatorAt(n),
    scheduledAt: past(n * 2),
  }));
