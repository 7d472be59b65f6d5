import { usesSlug, type Network } from '../networks/networks.js';
import type { PostPatch } from '../posts/post-patch.js';

type Value = Record<string, unknown>;

const isPlainObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The value over another one: objects key by key, anything else replaces. */
function combineValues(under: unknown, over: unknown): unknown {
  if (!isPlainObject(under) || !isPlainObject(over)) return over;
  const combined: Value = { ...under };
  for (const [key, value] of Object.entries(over))
    if (value !== undefined) combined[key] = combineValues(under[key], value);
  return combined;
}

/**
 * Keeps `url` and `link.url`, which are one value except on a blog (D20), from contradicting each
 * other: the patch that sets either of them wins.
 */
function withoutOutdatedUrl(under: PostPatch, over: PostPatch): PostPatch {
  const { url: _url, ...withoutUrl } = under;
  if (over.url === undefined)
    return over.link === null || over.link?.url !== undefined ? withoutUrl : under;
  if (!under.link || under.link.url === undefined) return under;
  const { url: _linkUrl, ...link } = under.link;
  return { ...under, link };
}

/**
 * One patch that has the effect of several, applied in this order to a new post (D47): later ones
 * replace the fields of earlier ones, and objects are merged key by key (D20).
 */
export function combinePatches(network: Network | null, patches: readonly PostPatch[]): PostPatch {
  return patches.reduce((under: PostPatch, over): PostPatch => {
    const base = usesSlug(network) ? under : withoutOutdatedUrl(under, over);
    return combineValues(base, over) as PostPatch;
  }, {});
}
