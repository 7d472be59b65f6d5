import { usesSlug, type Network } from '../networks/networks.js';
import { WEEKDAYS, type Link, type Recycling, type RecurringRule } from './post-settings.js';
import type { Post } from './post.js';

interface LinkSource {
  readonly url: string | null;
  readonly link: Link | null;
  readonly network: Network | null;
}

/**
 * The link that a post shows. `url` and `link.url` are one value (D20), except on a blog, where
 * `url` is the slug and the link has its own URL.
 */
export function linkOf(post: LinkSource): (Link & { url: string }) | null {
  const url = usesSlug(post.network) ? post.link?.url : post.url;
  return url ? { ...post.link, url } : null;
}

/** The preview picture of a link. */
export const linkImage = (link: Link): string | null =>
  link.defaultImage ?? link.images?.[0] ?? null;

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
