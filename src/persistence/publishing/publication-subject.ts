import type { Post } from '../../domain/posts/post.js';
import type {
  ArmedAttempt,
  OpenAttempt,
  PublicationJobSubject,
} from '../../services/publishing/publishing-ports.js';
import type { Database } from '../database.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { ALL_FIELDS, toSelectList } from '../posts/post-select-list.js';
import { readPostRows } from '../posts/related-rows.js';
import { IS_PUBLISHING_PAUSED } from './due-conditions.js';

type AttemptRow = Pick<OpenAttempt, 'number'> & {
  [K in keyof ArmedAttempt]: K extends 'at' | 'notThereAt' ? string | null : ArmedAttempt[K] | null;
};
interface SubjectRow extends PostRow {
  publicationJob: Omit<
    PublicationJobSubject,
    'post' | 'openAttempt' | 'now' | 'handedOverAt' | 'mayBeLiveSince'
  > & {
    handedOverAt: string;
    mayBeLiveSince: string | null;
    now: string;
  };
  openAttemptRow: AttemptRow | null;
}

const ATTEMPT = `(SELECT json_build_object('number', t.number, 'at', t.armed_at, 'guarantee', t.guarantee, 'handle', t.handle,
    'looks', t.looks, 'notThereAt', t.not_there_at, 'error', t.error)
   FROM publication_attempt t WHERE t.post_id = p.id AND t.finished_at IS NULL)`;

/**
 * Posts of a time before a restore were possibly published, until one attempt has looked for them.
 */
const MAY_BE_LIVE_SINCE = `(SELECT GREATEST(min(r.backup_at), p.scheduled_at) FROM publishing_pause r
   WHERE r.backup_at IS NOT NULL AND p.scheduled_at <= r.paused_at
     AND NOT EXISTS (SELECT FROM publication_attempt t WHERE t.post_id = p.id AND NOT t.is_sent AND t.finished_at > r.paused_at)
  HAVING count(*) > 0)`;
/** Why the first missing media file of a post is not available. */
const MISSING_MEDIA = `(SELECT COALESCE(f.error, 'The file was not sent before its upload URL expired.')
   FROM post_media pm JOIN media_file f ON f.media_id = pm.media_id
  WHERE pm.post_id = p.id AND f.status <> 'ready' ORDER BY pm.position LIMIT 1)`;
/**
 * How much of its daily cap the account has used or planned at the time of the post, the post
 * included.
 */
const CAP_USE = `(SELECT json_build_object('postKind', own.post_kind, 'slots', (
    SELECT count(*) FROM cap_slot s
     WHERE s.account_id = own.account_id AND s.post_kind = own.post_kind AND s.at > own.at - interval '24 hours' AND s.at <= own.at))
   FROM cap_slot own WHERE own.post_id = p.id AND own.account_id = p.account_id AND own.at = p.scheduled_at)`;
const PUBLICATION_JOB = `(SELECT json_build_object('jobId', u.job_id, 'handedOverAt', u.handed_over_at, 'earlierAttempts', u.earlier_attempts,
    'isPaused', ${IS_PUBLISHING_PAUSED}, 'mayBeLiveSince', ${MAY_BE_LIVE_SINCE}, 'missingMedia', ${MISSING_MEDIA},
    'lateMinutes', w.late_minutes, 'timeZone', w.time_zone, 'now', clock_timestamp(),
    'capUse', ${CAP_USE},
    'plan', (SELECT o.plan FROM membership m JOIN app_user o ON o.id = m.user_id WHERE m.workspace_id = w.id AND m.role = 'owner'))
   FROM publication u WHERE u.post_id = p.id)`;

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

function toSubject({ publicationJob, openAttemptRow, ...row }: SubjectRow): PublicationJobSubject {
  const { number = 0, at, notThereAt = null, ...attempt } = openAttemptRow ?? { at: null };
  return {
    ...publicationJob,
    post: toPostView(row as PostRow) as Post,
    handedOverAt: new Date(publicationJob.handedOverAt),
    mayBeLiveSince: toDate(publicationJob.mayBeLiveSince),
    now: new Date(publicationJob.now),
    openAttempt: openAttemptRow && {
      number,
      armed: at
        ? ({ ...attempt, at: new Date(at), notThereAt: toDate(notThereAt) } as ArmedAttempt)
        : null,
    },
  };
}

/** Finds posts that were handed over; concurrent callers share a statement. */
export function createSubjectReader(
  database: Database,
): (postId: number) => Promise<PublicationJobSubject | null> {
  const { columns, join } = toSelectList(ALL_FIELDS);
  const text = `SELECT ${columns}, ${PUBLICATION_JOB} AS "publicationJob", ${ATTEMPT} AS "openAttemptRow" FROM post p ${join} WHERE p.id = ANY($1::bigint[]) AND p.deleted_at IS NULL`;
  async function together(postIds: readonly number[]): Promise<(PublicationJobSubject | null)[]> {
    const rows = await readPostRows<SubjectRow>(database, { text, values: [postIds] }, ALL_FIELDS);
    const byId = new Map(rows.map((row) => [row.databaseId, row]));
    return postIds.map((id) => {
      const row = byId.get(id);
      return row?.publicationJob ? toSubject(row) : null;
    });
  }
  return database.share({ together, alone: async (postId) => (await together([postId]))[0]! });
}
