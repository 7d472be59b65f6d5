import type { Network } from '../networks/networks.js';

/** A link with its preview. `original…` are the values of the linked page. */
export interface Link {
  url?: string | null;
  callToAction?: string | null;
  phoneNumber?: string | null;
  providerDisplay?: string | null;
  originalDescription?: string | null;
  originalTitle?: string | null;
  description?: string | null;
  title?: string | null;
  defaultImage?: string | null;
  images?: string[] | null;
  originalImages?: string[] | null;
}

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
  const url = post.network === 'wordpress' ? post.link?.url : post.url;
  return url ? { ...post.link, url } : null;
}

/** The preview picture of a link. */
export const linkImage = (link: Link): string | null =>
  link.defaultImage ?? link.images?.[0] ?? null;
