import type { Change } from '../../domain/changes/change.js';
import { labelKey } from '../../domain/posts/post-content.js';
import { WAKE_WORKERS } from '../jobs/job-wakeups.js';
import type { Sql, Statement } from '../sql.js';
import { RollbackError } from './rollback-error.js';

/**
 * Creates missing labels, in a fixed order, which prevents deadlocks between changes.
 * @throws RollbackError if another change has created one of them since; the caller plans the
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
    if (created.length === 0) throw new RollbackError({ kind: 'conflict' });
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
  'INSERT INTO notification (id, user_id, workspace_id, kind, message, post_id, created_at) SELECT n.id, n.user_id, $1, n.kind, n.message, n.post_id, $2 ' +
  'FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) AS n(id, user_id, kind, message, post_id) ON CONFLICT (id) DO NOTHING';
const INSERT_NOTIFICATION_JOBS =
  "INSERT INTO job (id, workspace_id, user_id, kind, post_id, notification_id, created_at, traceparent) SELECT j.id, $1, $2, 'notification', j.post_id, j.notification_id, $3, $7 " +
  `FROM unnest($4::text[], $5::bigint[], $6::text[]) AS j(id, post_id, notification_id) ON CONFLICT (id) DO NOTHING RETURNING ${WAKE_WORKERS}`;

/**
 * Creates notifications and, if they are delivered to a webhook, one job for each. One that exists
 * is not created again: a repeated job sends the same ID.
 */
export function notificationStatements(
  { workspaceId, actor, notifications, at }: Change,
  { hasWebhook, traceparent = null }: { hasWebhook: boolean; traceparent?: string | null },
): Statement[] {
  if (notifications.length === 0) return [];
  const [ids, postIds] = [
    notifications.map(({ id }) => id),
    notifications.map(({ postId }) => postId),
  ];
  const insert = {
    text: INSERT_NOTIFICATIONS,
    values: [
      workspaceId,
      at,
      ids,
      notifications.map((notification) => notification.userId),
      notifications.map(({ kind }) => kind),
      notifications.map(({ message }) => message),
      postIds,
    ],
  };
  // unique like the ID of its notification
  const jobIds = ids.map((id) => id.replace(/^ntf/, 'job'));
  const deliver = {
    text: INSERT_NOTIFICATION_JOBS,
    values: [workspaceId, actor.userId, at, jobIds, postIds, ids, traceparent],
  };
  return hasWebhook ? [insert, deliver] : [insert];
}
