import { STATES_AHEAD } from '../../domain/caps/cap-slots.js';
import type { Post } from '../../domain/posts/post.js';
import { storedStateNumbers } from '../../domain/posts/states.js';
import { isOnNetwork } from '../../domain/rules/removal-rules.js';
import type { PublicationLedger } from '../../services/publishing/publishing-ports.js';
import type { Database } from '../database.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { ALL_FIELDS, toSelectList } from '../posts/post-select-list.js';
import { readPostRows } from '../posts/related-rows.js';
import { createAttempts } from './publication-attempts.js';
import { createSubjectReader } from './publication-subject.js';
import { LEASE } from './publication-writes.js';

/** The latest publication of a recycling post, deleted ones included. */
const PREVIOUS =
  'p.id = (SELECT c.id FROM post c WHERE c.recycled_from_id = $1 ORDER BY c.id DESC LIMIT 1)';

/** The publications that precede the post, in the 24 hours before its time (D39). */
const EARLIER = `
SELECT s.at FROM cap_slot s JOIN post o ON o.id = s.post_id
 WHERE s.account_id = $1 AND s.post_kind = $2 AND s.at > $3::timestamptz - interval '24 hours'
   AND (s.at, s.post_id) < ($3::timestamptz, $4::bigint)
   AND (o.queued_at IS NOT NULL OR o.retry_at IS NOT NULL OR o.stored_state NOT IN (${storedStateNumbers(STATES_AHEAD).join(', ')}))`;

/** $1: job, $2: its attempt, $3: post; $4 to $7: new values, null to keep the old one. */
const RECORD_LOOK = `
WITH ${LEASE}
UPDATE publication_attempt
   SET looks = COALESCE($4::int, looks), not_there_at = COALESCE($5::timestamptz, not_there_at),
       is_processing = COALESCE($6::boolean, is_processing), error = COALESCE($7::jsonb, error)
 WHERE post_id = $3 AND finished_at IS NULL AND EXISTS (SELECT FROM lease)
RETURNING 1`;

/** $1: job, $2: its attempt, $3: post, $4: queued_at, $5: number, $6: error, $7: pause in ms. */
const RELEASE = `
WITH ${LEASE},
target AS (
  UPDATE post SET queued_at = NULL, armed_at = NULL, retry_at = now() + $7::float8 * interval '1 millisecond'
   WHERE id = $3::bigint AND queued_at = $4::timestamptz AND EXISTS (SELECT FROM lease)
  RETURNING id
),
closed AS (
  UPDATE publication_attempt SET finished_at = now(), error = $6::jsonb
    FROM target WHERE post_id = target.id AND number = $5::int AND finished_at IS NULL
)
UPDATE publication SET error = COALESCE($6::jsonb, error) FROM target WHERE post_id = target.id
RETURNING 1`;

/**
 * The ledger of attempts in PostgreSQL. Every method is one statement; those that each publication
 * needs share it with concurrent calls.
 */
export function createPublicationLedger(database: Database): PublicationLedger {
  const { columns, join } = toSelectList(ALL_FIELDS);
  return {
    findSubject: createSubjectReader(database),
    ...createAttempts(database),
    async earlierPublications({ accountId, scheduledAt, databaseId }, postKind) {
      const rows = await database.read<{ at: Date }>(EARLIER, [
        accountId,
        postKind,
        scheduledAt,
        databaseId,
      ]);
      return rows.map(({ at }) => at);
    },
    async previousPublication({ id }) {
      const [post] = await readPostRows<PostRow>(
        database,
        { text: `SELECT ${columns} FROM post p ${join} WHERE ${PREVIOUS}`, values: [id] },
        ALL_FIELDS,
      );
      return post && isOnNetwork(toPostView(post).storedState) ? (toPostView(post) as Post) : null;
    },
    async recordLook({ id, attempt }, postId, { looks, notThereAt, isProcessing, error }) {
      const rows = await database.change(RECORD_LOOK, [
        id,
        attempt,
        postId,
        looks ?? null,
        notThereAt ?? null,
        isProcessing ?? null,
        error ? JSON.stringify(error) : null,
      ]);
      return rows.length > 0;
    },
    async release({ id, attempt: jobAttempt }, post, { attempt, error, inMs }) {
      const rows = await database.change(RELEASE, [
        id,
        jobAttempt,
        post.databaseId,
        post.queuedAt,
        attempt,
        error && JSON.stringify(error),
        inMs,
      ]);
      return rows.length > 0;
    },
  };
}
