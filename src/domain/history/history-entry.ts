import type { ApiKind } from '../access/viewer.js';
import type { PostEventType } from '../events/event.js';
import { isSame } from '../changes/merge-patch.js';
import { publicName, updateEvent } from '../events/events-of.js';
import { PATCH_FIELDS } from '../posts/post-fields.js';
import type { Link, RecurringRule, Recycling } from '../posts/post-settings.js';
import type { Post, UserSummary } from '../posts/post.js';
import { toLinkView, toRecurringRuleView, toRecyclingView } from '../posts/presented-settings.js';
import { toPostState, type StoredState } from '../posts/states.js';

/** Stored values of the changed fields, as JSON. */
export type RevisionValues = Readonly<
  Partial<Record<keyof Post, { readonly from?: unknown; readonly to?: unknown }>>
>;

/** A change of a post, as it is stored with its version. */
export interface Revision {
  readonly version: number;
  /** Type and API are null for changes of earlier releases. */
  readonly type: PostEventType | null;
  readonly api: ApiKind | null;
  readonly note: string | null;
  readonly at: Date;
  readonly user: UserSummary | null;
  readonly changes: RevisionValues;
}

/**
 * A field before and after a change, as the APIs present it; names and enum values are camelCase.
 */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A part of the history of a post, newest first. */
export interface HistoryWindow {
  /** Only versions before this one; the newest if it is missing. */
  readonly before?: number;
  /** Maximum number of entries. */
  readonly limit: number;
}

/** An entry in the history of a post (D71). */
export interface HistoryEntry {
  /** The post's version after the change. */
  readonly version: number;
  readonly type: PostEventType;
  readonly at: Date;
  /** Null if the service or an operator made the change. */
  readonly user: UserSummary | null;
  readonly api: ApiKind;
  readonly note: string | null;
  readonly changes: readonly FieldChange[];
}

const typeOf = ({ type, changes: { storedState } }: Revision): PostEventType =>
  type ??
  (storedState
    ? updateEvent(storedState.from as StoredState, storedState.to as StoredState)
    : 'post.updated');

/** Fields in the order of the interface document, after the others, for example the state. */
const rankOf = (field: keyof Post): number => (PATCH_FIELDS as readonly string[]).indexOf(field);

/**
 * The entry of a change. `isFirstVisible`: it made the post visible to the viewer, who must not see
 * the values before it (D13).
 */
export function toHistoryEntry(
  revision: Revision,
  { isFirstVisible }: { isFirstVisible: boolean },
): HistoryEntry {
  const { version, at, user, api, note, changes } = revision;
  const fields = (Object.keys(changes) as (keyof Post)[]).sort((a, b) => rankOf(a) - rankOf(b));
  return {
    version,
    type: typeOf(revision),
    at,
    user,
    api: api ?? 'service',
    note,
    changes: fields.flatMap((key) => {
      const [field, change] = [publicName(key), changes[key]!];
      if (field === null) return [];
      const before = isFirstVisible ? null : toFieldView(key, change.from);
      const after = toFieldView(key, change.to);
      // Different stored values can be presented alike.
      return isSame(before, after) ? [] : [{ field, before, after }];
    }),
  };
}

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
function toFieldView(field: keyof Post, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  const view = VIEWS[field] as ((value: unknown) => unknown) | undefined;
  return view ? view(stored) : stored;
}
