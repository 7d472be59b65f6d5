import { draftState, type DraftVisibility } from '../../../domain/creation/creation-modes.js';
import type { Refusal } from '../../../domain/errors.js';
import type { Post } from '../../../domain/posts/post.js';
import { isDraft, isPrivateDraft, type StoredState } from '../../../domain/posts/states.js';
import { transitionTo } from '../../../domain/posts/transitions.js';
import { formatRefusals } from '../../../domain/rules/format-rules.js';
import { timeRefusals } from '../creation/planning-rules.js';
import type { ScheduleInput } from './action-request.js';
import { refusedPlan, toPostChange, type PlanContext, type PostPlan } from './post-plan.js';

const visibilityOf = (state: StoredState): DraftVisibility => {
  if (isPrivateDraft(state)) return 'private';
  return state.startsWith('draft_public') ? 'public' : 'account';
};

const ONLY_CREATOR: Refusal = {
  code: 'FORBIDDEN',
  message: 'Only the creator of a post can make it a private draft.',
  path: ['visibility'],
  rule: 'D13',
};

/**
 * A post becomes a draft, or a draft gets another visibility, time or account (D48). A post that
 * was handed over is taken back (D55).
 */
export function planDraft(
  context: PlanContext,
  post: Post,
  { before, input }: { readonly before: Post; readonly input: ScheduleInput },
): PostPlan {
  const { viewer, now } = context;
  const visibility = input.visibility ?? visibilityOf(before.storedState);
  const scheduledAt = input.scheduledAt ?? before.scheduledAt;
  const refusals = [
    ...(visibility === 'private' && before.creatorId !== viewer.user.id ? [ONLY_CREATOR] : []),
    ...(input.scheduledAt ? timeRefusals('draft', { ...post, scheduledAt }, now) : []),
    ...(post.network === before.network ? [] : formatRefusals(before, post, { type: post.type })),
  ];
  if (refusals.length > 0) return refusedPlan(...refusals);
  const { account, accountId, network } = post;
  const change = toPostChange(context, before, {
    account,
    accountId,
    network,
    scheduledAt,
    storedState: transitionTo(
      before.storedState,
      'moved_to_drafts',
      draftState(visibility, scheduledAt),
    ),
    auto: false,
    queuedAt: null,
    retryAt: null,
  });
  const [write] = change.writes;
  const isSame =
    isDraft(before.storedState) && write?.kind === 'update' && write.changed.length === 0;
  return isSame ? { kind: 'unchanged', post: before } : change;
}
