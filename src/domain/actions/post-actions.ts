import type { Viewer } from '../access/viewer.js';
import { enumKeys, type VocabularyEntry } from '../enums.js';
import type { Refusal } from '../errors.js';
import { isUnconfirmed } from '../publishing/publication.js';
import { deletability } from '../rules/delete-rules.js';
import { editRefusal } from '../rules/edit-rights.js';
import {
  forUsableAccount,
  inStates,
  notBeingSent,
  notUnconfirmed,
  refuse,
  withValidContent,
  type ActionSubject,
  type Check,
} from './action-checks.js';

/** The rules of an action. The first check that refuses determines the reason. */
interface ActionRule extends VocabularyEntry {
  /** Who may do it. */
  readonly rights: Check;
  /** Whether the post already is as the action would make it, which is no error. */
  readonly isDone?: (post: ActionSubject) => boolean;
  readonly checks: readonly Check[];
  /** What the call needs in addition, for some posts. */
  readonly note?: (post: ActionSubject) => string | null;
}

const RETRY_NOTE =
  'It is unknown whether the post was published. Check its network, and set confirmNotLive if it is not there.';

/** What members do with posts, and the rules about it: action, state, role and network (D65). */
export const POST_ACTIONS = {
  edit: {
    description: 'Change fields with `updatePost`. `editability` lists the fields.',
    source: 'D19',
    rights: editRefusal,
    checks: [],
  },
  delete: {
    description: 'Delete the post with `deletePosts`.',
    source: 'Delete posts',
    rights: deletability,
    checks: [],
  },
  retry: {
    description: 'Publish a post with `retryPosts`, after its publication did not succeed.',
    source: 'D56',
    rights: editRefusal,
    checks: [
      inStates(['failed'], 'Only posts whose publication failed can be retried.', 'D56'),
      forUsableAccount,
      withValidContent,
    ],
    note: (post) => (isUnconfirmed(post) ? RETRY_NOTE : null),
  },
  resolve: {
    description:
      'Record with `resolvePublication` whether the post is on its network, if its publication is unconfirmed or its reminder is due.',
    source: 'D54',
    rights: editRefusal,
    checks: [
      notBeingSent,
      (post) =>
        isUnconfirmed(post) || (post.reminder && post.queuedAt !== null)
          ? null
          : refuse(
              'Only posts whose publication is unconfirmed and reminders that are due can be resolved.',
              'D58',
            ),
    ],
  },
  pause: {
    description: 'Pause repeated publication with `pausePosts`.',
    source: 'D59',
    rights: editRefusal,
    isDone: ({ storedState }) => storedState === 'recycling_paused',
    checks: [
      notBeingSent,
      inStates(['recycling_active'], 'Only active recycling posts can be paused.', 'D59'),
    ],
  },
  resume: {
    description: 'Resume repeated publication with `resumePosts`.',
    source: 'D59',
    rights: editRefusal,
    isDone: ({ storedState }) => storedState === 'recycling_active',
    checks: [
      inStates(
        ['recycling_paused', 'recycling_failed'],
        'Only paused and failed recycling posts can be resumed.',
        'D59',
      ),
      notUnconfirmed,
      forUsableAccount,
      withValidContent,
    ],
  },
} as const satisfies Record<string, ActionRule>;
/** Action that members can perform on posts. */
export type PostAction = keyof typeof POST_ACTIONS;

/** `done`: the post already is as the action would make it; nothing changes, and it is no error. */
export type ActionDecision =
  | { readonly kind: 'allowed'; readonly note: string | null }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Whether this viewer may do this with this post now (D65). `Post.actions`, dry runs and the calls
 * themselves ask it. What depends on the input of a call, such as times, duplicates and daily caps,
 * is checked by the call.
 */
export function decideAction(
  action: PostAction,
  post: ActionSubject,
  viewer: Viewer,
): ActionDecision {
  const { rights, isDone, checks, note }: ActionRule = POST_ACTIONS[action];
  const noRight = rights(post, viewer);
  if (noRight) return { kind: 'refused', refusal: noRight };
  if (isDone?.(post)) return { kind: 'done' };
  for (const check of checks) {
    const refusal = check(post, viewer);
    if (refusal) return { kind: 'refused', refusal };
  }
  return { kind: 'allowed', note: note?.(post) ?? null };
}

/** Whether a viewer may do something with a post now, and why not or under which condition. */
export interface ActionRight {
  readonly action: PostAction;
  readonly allowed: boolean;
  readonly code: Refusal['code'] | null;
  readonly reason: string | null;
  readonly rule: string | null;
}

/** What the viewer may do with the post: one entry for each action (D65). */
export const actionRights = (post: ActionSubject, viewer: Viewer): ActionRight[] =>
  enumKeys(POST_ACTIONS).map((action) => {
    const decision = decideAction(action, post, viewer);
    const allowed = decision.kind === 'allowed';
    if (decision.kind === 'refused') {
      const { code, message: reason, rule } = decision.refusal;
      return { action, allowed, code, reason, rule };
    }
    const reason =
      decision.kind === 'allowed' ? decision.note : 'The action would not change the post.';
    return { action, allowed, code: null, reason, rule: null };
  });
