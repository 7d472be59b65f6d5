import { enumKeys } from '../../domain/enums.js';
import { isScheduled, STORED_STATES, storedStateNumbers } from '../../domain/posts/states.js';
import { isPublishable } from '../../domain/publishing/publication.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Parameters } from '../sql.js';
import type { PublicationStatus } from '../../domain/publishing/publication-record.js';

const WAITING_STATES = storedStateNumbers(
  enumKeys(STORED_STATES).filter((state) => isScheduled(state) || isPublishable(state)),
).join(', ');
const openAttempt = (condition = ''): string =>
  `EXISTS (SELECT FROM publication_attempt t WHERE t.post_id = p.id AND t.finished_at IS NULL${condition})`;
const PROCESSING = openAttempt(' AND t.is_processing');

/** The condition of each status of a post that is not over; the domain derives the same status. */
const OPEN_STATUSES = {
  waiting: `p.queued_at IS NULL AND p.stored_state IN (${WAITING_STATES})`,
  queued: `p.queued_at IS NOT NULL AND p.armed_at IS NULL AND NOT ${openAttempt()}`,
  preparing: `p.queued_at IS NOT NULL AND p.armed_at IS NULL AND ${openAttempt()}`,
  sending: `p.armed_at IS NOT NULL AND NOT ${PROCESSING}`,
  processing: `p.armed_at IS NOT NULL AND ${PROCESSING}`,
} as const satisfies Partial<Record<PublicationStatus, string>>;
const isOpen = (status: PublicationStatus): status is keyof typeof OPEN_STATUSES =>
  Object.hasOwn(OPEN_STATUSES, status);

/** The condition of posts whose publication has one of these statuses (D57). */
export function publicationCondition(
  statuses: readonly PublicationStatus[],
  p: Parameters,
): string {
  const results = statuses.filter((status) => !isOpen(status));
  const conditions: string[] = statuses.filter(isOpen).map((status) => OPEN_STATUSES[status]);
  if (results.length > 0)
    conditions.push(
      `p.queued_at IS NULL AND p.stored_state NOT IN (${WAITING_STATES}) AND EXISTS (SELECT FROM publication u WHERE u.post_id = p.id AND u.result = ANY(${p.add(results, 'publication_result[]')}))`,
    );
  return `(${conditions.map((condition) => `(${condition})`).join(' OR ')})`;
}

/** Statuses of posts that were handed over and are not done. */
const IN_PROGRESS: readonly PublicationStatus[] = ['queued', 'preparing', 'sending', 'processing'];
/** Results other than a published post, which few posts have. */
const NOT_PUBLISHED: readonly PublicationStatus[] = ['failed', 'unconfirmed', 'missed'];

/** SQL for the IDs of the few posts that can have one of these statuses; null if many can. */
export function rarePublicationSql(
  statuses: readonly PublicationStatus[],
  viewer: Viewer,
  p: Parameters,
): string | null {
  const areAll = (rare: readonly PublicationStatus[]): boolean =>
    statuses.length > 0 && statuses.every((status) => rare.includes(status));
  if (areAll(IN_PROGRESS))
    return `SELECT q.id AS post_id FROM post q WHERE q.workspace_id = ${p.add(viewer.workspace.id, 'text')} AND q.queued_at IS NOT NULL`;
  return areAll(NOT_PUBLISHED)
    ? "SELECT u.post_id FROM publication u WHERE u.result IN ('failed', 'unconfirmed', 'missed')"
    : null;
}
