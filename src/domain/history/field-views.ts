import type { Post } from '../posts/post.js';
import type { Recycling, RecurringRule, Link } from '../posts/post-settings.js';
import { toLinkView, toRecurringRuleView, toRecyclingView } from '../posts/presented-settings.js';
import { toPostState, type StoredState } from '../posts/states.js';

/** A link without its URL, which is a field of its own. */
function toStoredLinkView(link: Link): object {
  const { url: _url, ...view } = toLinkView({ ...link, url: '' });
  return view;
}

/** How the APIs present a stored value, if it differs from the JSON. Null stays null. */
const VIEWS: { readonly [F in keyof Post]?: (stored: never) => unknown } = {
  storedState: (state: StoredState) => toPostState(state),
  scheduledAt: (at: string) => new Date(at),
  recycling: (recycling: Recycling) => toRecyclingView(recycling),
  recurring: (rule: RecurringRule) => toRecurringRuleView(rule),
  link: toStoredLinkView,
  sublinks: (links: readonly Link[]) =>
    links.flatMap((link) => (link.url ? [toLinkView({ ...link, url: link.url })] : [])),
};

/** The value of a field in a revision, as the APIs present it. */
export function toFieldView(field: keyof Post, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  const view = VIEWS[field] as ((value: unknown) => unknown) | undefined;
  return view ? view(stored) : stored;
}
