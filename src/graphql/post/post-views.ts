import type { Link, Location, PostDetails } from '../../domain/posts/post.js';
import { shownLink } from '../../domain/posts/post-views.js';

/** A further link without an address leads nowhere. */
export const sublinkViews = (sublinks: readonly Link[]) =>
  sublinks.flatMap((link) => (link.url ? [shownLink({ ...link, url: link.url })] : []));

export const locationView = (location: Location | null) =>
  location && { id: location.id, name: location.name ?? '' };

export const detailsView = (details: PostDetails | null) =>
  details && {
    ...details,
    sponsor: details.sponsor ? { ...details.sponsor, id: details.sponsor.id ?? '' } : null,
  };
