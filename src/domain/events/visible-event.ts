import type { Viewer, ApiKind } from '../access/viewer.js';
import type { PostView } from '../posts/post-query.js';
import type { Post, UserSummary } from '../posts/post.js';
import { isPrivateDraft, toPostState, type PostState, type StoredState } from '../posts/states.js';
import { isHidden } from '../rules/edit-rules.js';
import type { EventPosition, EventType } from './event.js';

/** An event as it was stored, with its post as it is now. */
export interface StoredEvent {
  readonly position: EventPosition;
  readonly type: EventType;
  readonly at: Date;
  /** Document ID of the post; null if the event is not about a post. */
  readonly documentId: string | null;
  readonly accountId: string | null;
  /** ID of the job, media item or label that the event is about; null for a post. */
  readonly recordId: string | null;
  readonly version: number | null;
  /** Null if no user made the change, or the user was deleted. */
  readonly user: UserSummary | null;
  readonly api: ApiKind;
  readonly changed: readonly string[];
  readonly before: StoredState | null;
  readonly after: StoredState | null;
  /** The only user who could see the record after the change; null for all members. */
  readonly visibleTo: string | null;
  /** Who can see the post now, even if it was deleted; null if its row no longer exists. */
  readonly current: Pick<Post, 'storedState' | 'creatorId'> | null;
  /** The post as it is now; null if it was deleted. */
  readonly post: PostView | null;
}

/** An event as a viewer sees it. */
export interface VisibleEvent extends Pick<
  StoredEvent,
  'position' | 'type' | 'at' | 'version' | 'user' | 'api' | 'accountId' | 'recordId' | 'post'
> {
  /** Document ID. */
  readonly postId: string | null;
  readonly fields: readonly string[];
  readonly stateBefore: PostState | null;
  readonly stateAfter: PostState | null;
}

/**
 * What a viewer may know of an event. `whole`: everything. `appeared`: the post, which the viewer
 * could not see before. `disappeared`: only that the viewer cannot see the post any more.
 */
export type EventVisibility = 'whole' | 'appeared' | 'disappeared';

/**
 * What the viewer may know of an event (D74); null for nothing. Decided by who could see the record
 * after the change, and again by who can see the post now.
 */
export function visibilityOf(
  { before, after, current, visibleTo, documentId, recordId }: StoredEvent,
  viewer: Pick<Viewer, 'user'>,
): EventVisibility | null {
  const wasShown = visibleTo === null || visibleTo === viewer.user.id;
  const isHiddenNow = current !== null && isHidden(current, viewer);
  const isOfPost = documentId !== null && recordId === null;
  if (!isOfPost) return wasShown && !isHiddenNow ? 'whole' : null;
  const creatorId = current?.creatorId ?? visibleTo;
  const sawBefore = before !== null && !(isPrivateDraft(before) && creatorId !== viewer.user.id);
  if (wasShown && (after === null || !isHiddenNow)) return sawBefore ? 'whole' : 'appeared';
  return !wasShown && sawBefore ? 'disappeared' : null;
}

const stateOf = (state: StoredState | null): PostState | null => state && toPostState(state);

function present(event: StoredEvent): VisibleEvent {
  const { documentId: postId, changed: fields, before, after } = event;
  return { ...event, postId, fields, stateBefore: stateOf(before), stateAfter: stateOf(after) };
}

const PRESENTATIONS: Readonly<Record<EventVisibility, (event: StoredEvent) => VisibleEvent>> = {
  whole: present,
  appeared: (event) => ({ ...present(event), stateBefore: null }),
  disappeared: (event) => ({
    ...present(event),
    type: 'post.deleted',
    fields: [],
    stateAfter: null,
    post: null,
  }),
};

/**
 * The event as all viewers with this visibility see it. A change that hides the post from a viewer
 * is its deletion, as in `changes`; one that shows it has no state before.
 */
export const toVisibleEvent = (event: StoredEvent, visibility: EventVisibility): VisibleEvent =>
  PRESENTATIONS[visibility](event);
