import { EMPTY_CHANGE } from '../../domain/changes/change.js';
import { SERVICE, type Actor } from '../../domain/events/actor.js';
import type { Media } from '../../domain/posts/post-content.js';
import type {
  ExpectedUpload,
  MediaFileStore,
  PendingImport,
} from '../../services/media/media-ports.js';
import type { Database } from '../database.js';
import { writeJobs } from '../changes/change-records.js';
import { recordOutcome } from '../changes/idempotency-store.js';
import type { Sql } from '../sql.js';
import { insertMedia, insertMediaEvent, releaseKey } from './media-writes.js';

type ExpectedFileStore = Pick<
  MediaFileStore,
  | 'createUpload'
  | 'findUpload'
  | 'createImport'
  | 'pendingImports'
  | 'failedImports'
  | 'complete'
  | 'fail'
>;

const INSERT_UPLOAD =
  'INSERT INTO media_file (media_id, status, token, upload_token_hash, upload_expires_at, uploaded_by, bytes) ' +
  "VALUES ($1, 'waiting', $2, $3, $4, $5, $6)";
const INSERT_IMPORTS =
  'INSERT INTO media_file (media_id, status, token, source_url, job_id, uploaded_by) ' +
  `SELECT i.id, 'waiting', i.token, i.url, $1, $2 FROM jsonb_to_recordset($3::jsonb) AS i(id text, token text, url text)`;

const FIND_UPLOAD = `
SELECT m.id, m.type, m.url, m.title, m.alt_text AS "altText", f.bytes AS "expectedBytes"
  FROM media_file f JOIN media m ON m.id = f.media_id
 WHERE f.media_id = $1 AND f.status = 'waiting' AND f.upload_token_hash = $2 AND f.upload_expires_at > $3`;

const ofJob = (columns: string, status: string): string =>
  `SELECT media_id AS "mediaId", ${columns} FROM media_file WHERE job_id = $1 AND status = '${status}' ORDER BY media_id`;
const PENDING = ofJob('source_url AS "sourceUrl"', 'waiting');
const FAILED = ofJob('error', 'failed');

const COMPLETE =
  "UPDATE media_file SET status = 'ready', storage_key = $2, content_type = $3, bytes = $4, width = $5, height = $6, has_thumbnail = $7, upload_token_hash = NULL " +
  'WHERE media_id = $1 AND status = \'waiting\' RETURNING uploaded_by AS "uploadedBy", job_id AS "jobId"';
const FAIL =
  "UPDATE media_file SET status = 'failed', error = $2 WHERE media_id = $1 AND status = 'waiting' " +
  'RETURNING uploaded_by AS "uploadedBy", job_id AS "jobId"';
const MEDIA_OF_EVENT =
  'UPDATE media SET type = COALESCE($2::media_type, type) WHERE id = $1 RETURNING workspace_id AS "workspaceId", in_library AS "inLibrary"';

/** Who waits for a file. */
interface WaitingRow {
  readonly uploadedBy: string | null;
  readonly jobId: string | null;
}

/** A file that the service fetched is its change; one that a client sent is the client's. */
const actorOf = ({ uploadedBy, jobId }: WaitingRow): Actor =>
  jobId === null ? { ...SERVICE, userId: uploadedBy } : SERVICE;

async function writeEvent(
  sql: Sql,
  waiting: WaitingRow,
  event: {
    readonly mediaId: string;
    readonly mediaType: Media['type'] | null;
    readonly type: 'media.ready' | 'media.failed';
    readonly at: Date;
  },
): Promise<void> {
  const { mediaId: id, mediaType, type, at } = event;
  const [media] = await sql<{ workspaceId: string; inLibrary: boolean }>(MEDIA_OF_EVENT, [
    id,
    mediaType,
  ]);
  const { workspaceId, inLibrary } = media!;
  const { uploadedBy } = waiting;
  await insertMediaEvent(
    sql,
    { workspaceId, at, actor: actorOf(waiting), uploadedBy },
    { id, inLibrary, type },
  );
}

/** Media that wait for their files. `traceparent`: the span of the current request, for its jobs. */
export const createExpectedFileStore = (
  database: Database,
  traceparent: () => string | null,
): ExpectedFileStore => ({
  createUpload: (origin, { media, token, bytes, uploadTokenHash, expiresAt }) =>
    database.transaction(async (sql) => {
      await insertMedia(sql, origin, [media]);
      const { userId } = origin.actor;
      await sql(INSERT_UPLOAD, [media.id, token, uploadTokenHash, expiresAt, userId, bytes]);
    }),
  async findUpload(mediaId, uploadTokenHash, now) {
    const [media] = await database.read<ExpectedUpload>(FIND_UPLOAD, [
      mediaId,
      uploadTokenHash,
      now,
    ]);
    return media ?? null;
  },
  createImport: (origin, { job, imports }, record) =>
    database.transaction(async (sql) => {
      if (record) await recordOutcome(sql, record);
      await insertMedia(
        sql,
        origin,
        imports.map(({ media }) => media),
      );
      const rows = imports.map(({ media, token, sourceUrl }) => ({
        id: media.id,
        token,
        url: sourceUrl,
      }));
      await sql(INSERT_IMPORTS, [job.id, origin.actor.userId, JSON.stringify(rows)]);
      const jobs = [{ ...job, postVersion: null }];
      await writeJobs(sql, { ...EMPTY_CHANGE, ...origin, posts: [], jobs }, traceparent());
    }),
  pendingImports: (jobId) => database.scan<PendingImport>(PENDING, [jobId]),
  failedImports: (jobId) => database.scan<{ mediaId: string; error: string }>(FAILED, [jobId]),
  complete: (mediaId, { type: mediaType, storageKey, content, hasThumbnail }, at) =>
    database.transaction(async (sql) => {
      const { contentType, bytes, size } = content;
      const [waiting] = await sql<WaitingRow>(COMPLETE, [
        mediaId,
        storageKey,
        contentType,
        bytes,
        size?.width ?? null,
        size?.height ?? null,
        hasThumbnail,
      ]);
      if (!waiting) return false;
      await releaseKey(sql, storageKey);
      await writeEvent(sql, waiting, { mediaId, mediaType, type: 'media.ready', at });
      return true;
    }),
  fail: (mediaId, error, at) =>
    database.transaction(async (sql) => {
      const [waiting] = await sql<WaitingRow>(FAIL, [mediaId, error]);
      if (waiting)
        await writeEvent(sql, waiting, { mediaId, mediaType: null, type: 'media.failed', at });
    }),
});
