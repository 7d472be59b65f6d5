import { deletability, type DeleteSubject } from '../../domain/rules/delete-rules.js';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { Link } from '../../domain/posts/link-preview.js';
import type { Location } from '../../domain/posts/post.js';
import type { PostDetails } from '../../domain/posts/post-settings.js';
import { toLinkView } from '../../domain/posts/presented-settings.js';
import type { GatewayContext } from '../context.js';

/** Converts additional links to Links. Omits those without a URL. */
export const presentSublinks = (sublinks: readonly Link[]) =>
  sublinks.flatMap((link) => (link.url ? [toLinkView({ ...link, url: link.url })] : []));

/** Converts a location to a Location. */
export const presentLocation = (location: Location | null) =>
  location && { id: location.id, name: location.name ?? '' };

/** Converts details to PostDetails. The ID of a sponsor that only has a name is empty. */
export const presentDetails = (details: PostDetails | null) =>
  details && {
    ...details,
    sponsor: details.sponsor ? { ...details.sponsor, id: details.sponsor.id ?? '' } : null,
  };

/** Converts the deletability of a post to its GraphQL type. */
export function presentDeletability(post: DeleteSubject, { authentication }: GatewayContext) {
  const refusal = deletability(post, viewerOf(authentication));
  return {
    allowed: refusal === null,
    code: refusal?.code ?? null,
    reason: refusal?.message ?? null,
  };
}
