import { linkImage, linkOf, WEEKDAYS, type Link, type Location, type Post, type PostDetails, type Recycling, type RecurringRule } from '../../domain/post.js';

/** How the parts of a post are shown where the row has them in the request's words, or leaves out what the type requires. */
const toLink = (link: Link & { url: string }) => ({
  url: link.url,
  title: link.title ?? link.originalTitle ?? null,
  description: link.description ?? link.originalDescription ?? null,
  imageUrl: linkImage(link),
  callToAction: link.callToAction ?? null,
  phoneNumber: link.phoneNumber ?? null,
});

export function linkView(post: Pick<Post, 'url' | 'link' | 'network'>) {
  const link = linkOf(post);
  return link && toLink(link);
}

/** A further link without an address leads nowhere. */
export const sublinkViews = (sublinks: readonly Link[]) => sublinks.flatMap((link) => (link.url ? [toLink({ ...link, url: link.url })] : []));

export const locationView = (location: Location | null) => location && { id: location.id, name: location.name ?? '' };

export const detailsView = (details: PostDetails | null) =>
  details && { ...details, sponsor: details.sponsor ? { ...details.sponsor, id: details.sponsor.id ?? '' } : null };

export const recyclingView = (recycling: Recycling | null) =>
  recycling && { ...recycling, solo: recycling.solo ?? false, gap: recycling.gap ?? 1, gapFreq: recycling.gapFreq ?? 'days' };

const toTime = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** A series' rule in the words of a result: they differ from those of a request (Post detail). */
export const recurringView = (rule: RecurringRule | null) => rule && {
  frequency: rule.repeat ?? 'daily',
  repeatEvery: rule.repeatRate ?? 1,
  weekdays: (rule.daysOfWeek ?? []).flatMap((day) => WEEKDAYS[day] ?? []),
  startDate: toTime(rule.startDate),
  endDate: toTime(rule.endDate),
};
