import type { Refusal } from '../errors.js';
import type { PatchField } from '../posts/post-fields.js';
import type { PostPatch } from '../posts/post-patch.js';
import type { Post } from '../posts/post.js';
import { isDraft, isPublished, isScheduled } from '../posts/states.js';
import type { EditSubject } from './edit-rights.js';

/** Fields that only some posts have, whether published or not. */
const FIELD_AVAILABILITY = {
  scheduledAt: {
    rule: 'D29',
    message:
      'scheduledAt can be changed only on scheduled posts, drafts and future occurrences of a series.',
    has: (post: EditSubject): boolean => isScheduled(post.storedState) || isDraft(post.storedState),
  },
  recurring: {
    rule: 'D17',
    message:
      'recurring can be set only on drafts, series, and scheduled posts that are neither queued nor part of a series.',
    has: (post: EditSubject): boolean =>
      (isScheduled(post.storedState) && post.parentId === null && post.queuedAt === null) ||
      isDraft(post.storedState) ||
      post.storedState === 'recurring',
  },
} as const;

/** Why the post does not have this field, or null. */
export function availabilityRefusal(field: PatchField, post: EditSubject): Refusal | null {
  const entry = field === 'scheduledAt' || field === 'recurring' ? FIELD_AVAILABILITY[field] : null;
  return entry === null || entry.has(post)
    ? null
    : { code: 'RULE_VIOLATION', message: entry.message, path: [field], rule: entry.rule };
}

/** A scheduled time must be at least this far in the future (D29). */
export const MIN_LEAD_MS = 60_000;

/**
 * Checks the new time (D29): at least one minute in the future, and cleared on drafts only. An
 * unchanged time is always valid.
 */
export function scheduleRefusals(
  post: EditSubject & Pick<Post, 'scheduledAt'>,
  patch: PostPatch,
  now: Date,
): Refusal[] {
  if (patch.scheduledAt === undefined || isPublished(post.storedState)) return [];
  const refuse = (message: string): Refusal[] => [
    {
      code: 'RULE_VIOLATION',
      path: ['scheduledAt'],
      rule: FIELD_AVAILABILITY.scheduledAt.rule,
      message,
    },
  ];
  const unavailable = availabilityRefusal('scheduledAt', post);
  if (unavailable) return [unavailable];
  if (patch.scheduledAt === null)
    return isDraft(post.storedState) ? [] : refuse('scheduledAt can be cleared only on drafts.');
  if (patch.scheduledAt.getTime() === post.scheduledAt?.getTime()) return [];
  return patch.scheduledAt.getTime() >= now.getTime() + MIN_LEAD_MS
    ? []
    : refuse('scheduledAt must be at least one minute in the future.');
}
