import {
  linkImage,
  linkOf,
  WEEKDAYS,
  type Link,
  type Post,
  type Recycling,
  type RecurringRule,
} from './post.js';

/** A link in the words of a result: what it shows where nothing was said is what the page itself says. */
export const shownLink = (link: Link & { url: string }) => ({
  url: link.url,
  title: link.title ?? link.originalTitle ?? null,
  description: link.description ?? link.originalDescription ?? null,
  imageUrl: linkImage(link),
  callToAction: link.callToAction ?? null,
  phoneNumber: link.phoneNumber ?? null,
});

/** The post's link, or null where it leads nowhere. */
export function linkView(post: Pick<Post, 'url' | 'link' | 'network'>) {
  const link = linkOf(post);
  return link && shownLink(link);
}

/** Recycling in the words of a result, with what holds where nothing was said. */
export const recyclingView = (recycling: Recycling | null) =>
  recycling && {
    ...recycling,
    solo: recycling.solo ?? false,
    gap: recycling.gap ?? 1,
    gapFreq: recycling.gapFreq ?? 'days',
  };

const toTime = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** A series' rule in the words of a result: they differ from those of a request (Post detail). */
export const recurringView = (rule: RecurringRule | null) =>
  rule && {
    frequency: rule.repeat ?? 'daily',
    repeatEvery: rule.repeatRate ?? 1,
    weekdays: (rule.daysOfWeek ?? []).flatMap((day) => WEEKDAYS[day] ?? []),
    startDate: toTime(rule.startDate),
    endDate: toTime(rule.endDate),
  };
