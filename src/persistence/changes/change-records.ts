import type { Change } from '../../domain/changes/change.js';
import { labelKey } from '../../domain/posts/post-content.js';
import { WAKE_WORKERS } from '../jobs/job-wakeups.js';
import type { Sql, Statement } from '../sql.js';
import { NotSavedError } from './change-conditions.js';

// SQL: these records are saved in the transaction of a change of posts.

/**
 * Creates missing labels, in a fixed order, which prevents deadlocks between changes.
 * @throws NotSavedError if another change has created one of them since; the caller plans the
 * change again with that label
 */
export async function createLabels(sql: Sql, { workspaceId, newLabels }: Change): Promise<void> {
  for (const label of newLabels.toSorted((a, b) =>
    labelKey(a.name) < labelKey(b.name) ? -1 : 1,
  )) {
    const created = await sql(
      'INSERT INTO label (id, workspace_id, name, name_key, color) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (workspace_id, name_key) DO NOTHING RETURNING id',
      [label.id, workspaceId, label.name, labelKey(label.name), label.color],
    );
    if (created.length === 0) throw new NotSavedError({ kind: 'conflict' });
  }
}

/** Creates media, and adds existing media to the library. */
export async function writeMediaItems(
  sql: Sql,
  { workspaceId, newMedia, addToLibrary }: Change,
): Promise<void> {
  for (const media of newMedia) {
    await sql(
      'INSERT INTO media (id, workspace_id, type, url, title, alt_text, in_library) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [media.id, workspaceId, media.type, media.url, media.title, media.altText, media.inLibrary],
    );
  }
  if (addToLibrary.length > 0)
    await sql(
      'UPDATE media SET in_library = true WHERE workspace_id = $1 AND id = ANY($2::text[])',
      [workspaceId, addToLibrary],
    );
}

/**
 * Creates the jobs of a change. Once the change is committed, workers find them. `traceparent`: the
 * span that the attempts belong to.
 */
export async function writeJobs(
  sql: Sql,
  { workspaceId, actor, jobs }: Change,
  traceparent: string | null = null,
): Promise<void> {
  for (const job of jobs) {
    await sql(
      'INSERT INTO job (id, workspace_id, user_id, kind, status, progress, failures, result, post_id, post_version, created_at, finished_at, traceparent) ' +
        `VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING ${WAKE_WORKERS}`,
      [
        job.id,
        workspaceId,
        actor.userId,
        job.kind,
        job.status,
        job.progress,
        JSON.stringify(job.failures),
        job.result && JSON.stringify(job.result),
        job.postId,
        job.postVersion,
        job.createdAt,
        job.finishedAt,
        traceparent,
      ],
    );
  }
}

const INSERT_NOTIFICATIONS =
  'WITH created AS (INSERT INTO notification (id, user_id, workspace_id, kind, message, post_id, created_at) SELECT n.id, n.user_id, $1, n.kind, n.message, n.post_id, $2 ' +
  'FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) AS n(id, user_id, kind, message, post_id) ON CONFLICT (id) DO NOTHING RETURNING id, user_id, post_id) ' +
  'INSERT INTO event (at, workspace_id, user_id, key_id, api, type, post_id, doc_id, record_id, changed, visible_to) ' +
  "SELECT $2, $1, $8, $9, $10, 'notification.created', c.post_id, p.doc_id, c.id, '{}', c.user_id FROM created c LEFT JOIN post p ON p.id = c.post_id ORDER BY c.user_id, c.post_id";

/**
 * Creates notifications and their events, which only their users see. One that exists is not created
 * again: a repeated job sends the same ID.
 */
export const notificationStatements = ({
  workspaceId,
  actor,
  notifications,
  at,
}: Pick<Change, 'workspaceId' | 'actor' | 'notifications' | 'at'>): Statement[] =>
  notifications.length === 0
    ? []
    : [
        {
          text: INSERT_NOTIFICATIONS,
          values: [
            workspaceId,
            at,
            notifications.map(({ id }) => id),
            notifications.map(({ userId }) => userId),
            notifications.map(({ kind }) => kind),
            notifications.map(({ message }) => message),
            notifications.map(({ postId }) => postId),
            actor.userId,
            actor.keyId,
            actor.api,
          ],
        },
      ];
