import type { Viewer } from '../access/viewer.js';
import { enumKeys } from '../enums.js';
import type { Refusal } from '../errors.js';
import type { ActionSubject } from './action-checks.js';
import { POST_ACTIONS, type ActionRule, type PostAction } from './post-actions.js';

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
