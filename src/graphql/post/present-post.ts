import type { Link } from '../../domain/posts/post-link.js';
import type { Location } from '../../domain/posts/post.js';
import type { PostDetails } from '../../domain/posts/post-settings.js';
import { shownLink } from '../../domain/posts/post-views.js';

/** Omits additional links without a URL. */
export const presentSublinks = (sublinks: readonly Link[]) =>
  sublinks.flatMap((link) => (link.url ? [shownLink({ ...link, url: link.url })] : []));

export const presentLocation = (location: Location | null) =>
  location && { id: location.id, name: location.name ?? '' };

export const presentDetails = (details: PostDetails | null) =>
  details && {
    ...details,
    sponsor: details.sponsor ? { ...details.sponsor, id: details.sponsor.id ?? '' } : null,
  };
