import { linkImage, linkOf, type Link } from './link-preview.js';
import { WEEKDAYS, type Recycling, type RecurringRule } from './post-settings.js';
import type { Post } from './post.js';

/** A link in a response. Title and description default to those of the linked page. */
export const toLinkView = (link: Link & { url: string }) => ({
  url: link.url,
  title: link.title ?? link.originalTitle ?? null,
  description: link.description ?? link.originalDescription ?? null,
  imageUrl: linkImage(link),
  callToAction: link.callToAction ?? null,
  phoneNumber: link.phoneNumber ?? null,
});

/** The post's link, or null if it has no URL. */
export function toPostLinkView(post: Pick<Post, 'url' | 'link' | 'network'>) {
  const link = linkOf(post);
  return link && toLinkView(link);
}

/** Recycling in a response, with defaults. */
export const toRecyclingView = (recycling: Recycling | null) =>
  recycling && {
    ...recycling,
    solo: recycling.solo ?? false,
    gap: recycling.gap ?? 1,
    gapFreq: recycling.gapFreq ?? 'days',
  };

const toTime = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/**
 * A recurrence rule in a response, whose field names differ from those of a request (Post detail).
 */
export const toRecurringRuleView = (rule: RecurringRule | null) =>
  rule && {
    frequency: rule.repeat ?? 'daily',
    repeatEvery: rule.repeatRate ?? 1,
    weekdays: (rule.daysOfWeek ?? []).flatMap((day) => WEEKDAYS[day] ?? []),
    startDate: toTime(rule.startDate),
    endDate: toTime(rule.endDate),
  };
