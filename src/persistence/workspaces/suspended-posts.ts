import type { Post } from '../../domain/posts/post.js';
import { storedStateByNumber, type StoredState } from '../../domain/posts/states.js';
import { SUSPENDED_STATES } from '../../domain/rules/state-rules.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';

/** What the state of a suspended post depends on, besides the row of the post. */
export interface SuspensionRow {
  readonly suspension: {
    readonly previous: StoredState | null;
    /** Of the series of the post. */
    readonly occurrenceState: number | null;
    readonly requiresApproval: boolean;
    readonly isLocked: boolean;
  };
}

const SUSPENDED = SUSPENDED_STATES.map((state) => `'${state}'`).join(', ');

/**
 * The last state that was no suspension, from the history of the post; if it has none, the approval
 * of its series. `p` is the post, `w` its workspace.
 */
export const SUSPENSION = `json_build_object(
  'previous', (SELECT r.changes->'storedState'->>'from' FROM revision r
     WHERE r.post_id = p.id AND r.changes->'storedState'->>'from' NOT IN (${SUSPENDED}) ORDER BY r.version DESC LIMIT 1),
  'occurrenceState', (SELECT s.occurrence_state FROM post s WHERE s.id = p.parent_id),
  'requiresApproval', w.requires_approval, 'isLocked', w.locked) AS suspension`;

/** A post, and what its state depends on. */
export function toSuspendedPost({ suspension, ...row }: PostRow & SuspensionRow) {
  const { previous, occurrenceState, ...circumstances } = suspension;
  const ofSeries = occurrenceState === null ? null : storedStateByNumber.get(occurrenceState)!;
  return {
    post: toPostView(row as PostRow) as Post,
    previous: previous ?? ofSeries,
    ...circumstances,
  };
}
