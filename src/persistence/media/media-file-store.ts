import { EMPTY_CHANGE } from '../../domain/changes/change.js';
import { type Actor, SERVICE } from '../../domain/events/actor.js';
import type { Event } from '../../domain/events/event.js';
import type { Job } from '../../domain/jobs/job.js';
import type { MediaContentType } from '../../domain/media/media-content.js';
import {
  type MediaContent,
  type MediaFile,
  type MediaFileStatus,
  thumbnailPath,
} from '../../domain/media/media-file.js';
import type { Media, MediaType } from '../../domain/posts/post-content.js';
import { writeJobs } from '../changes/change-records.js';
import { recordOutcome, type IdempotencyResult } from '../changes/idempotency-store.js';
import type { Database } from '../database.js';
import { insertEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';

/** Where the file of a media item is stored, and the secret part of its address. */
export interface StoredFile {
  readonly token: string;
  readonly storageKey: string;
  readonly content: MediaContent;
  readonly hasThumbnail: boolean;
}

/** A media item that is created with its file. */
export interface NewMedia extends Media {
  readonly inLibrary: boolean;
}

/** Who creates media, and where. */
export interface MediaOrigin {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** A file whose address has a token. */
export interface AddressedFile extends StoredFile {
  readonly title: string | null;
}

/** A media item that waits for its file, which the client sends to a one-time address. */
export interface NewUpload {
  readonly media: NewMedia;
  readonly token: string;
  /** The size that the file must have. */
  readonly bytes: number;
  readonly uploadTokenHash: string;
  readonly expiresAt: Date;
}

/** A media item that waits for a file of this size. */
export interface ExpectedUpload extends Media {
  readonly expectedBytes: number;
}

/** A media item that waits for its file, which a job fetches. */
export interface NewImport {
  readonly media: NewMedia;
  readonly token: string;
  readonly sourceUrl: string;
}

/** A file that a job has to fetch. */
export interface PendingImport {
  readonly mediaId: string;
  readonly sourceUrl: string;
}

/** Rows of media and their files. */
export interface MediaFileStore {
  /** Files by media ID, of one workspace. Media whose file is on another server are absent. */
  byIds(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, MediaFile>>;
  /** A stored file with the secret of its address; null if it is unknown or not ready. */
  findStored(mediaId: string): Promise<AddressedFile | null>;
  /** Remembers a key as unused, before a file is stored under it. */
  reserveKey(storageKey: string): Promise<void>;
  /** Keys that have been unused since before a time, oldest first. */
  unusedKeys(before: Date, max: number): Promise<readonly string[]>;
  /** Forgets keys whose files were deleted. */
  forgetKeys(storageKeys: readonly string[]): Promise<void>;
  /** Creates a media item with its file, and the event (D70). */
  create(origin: MediaOrigin, media: NewMedia, file: StoredFile): Promise<void>;
  /** Creates a media item that waits for its file. */
  createUpload(origin: MediaOrigin, upload: NewUpload): Promise<void>;
  /** The item that waits for its file at this address; null if it expired or was used. */
  findUpload(mediaId: string, uploadTokenHash: string, now: Date): Promise<ExpectedUpload | null>;
  /** Creates media that wait for their files, and the job that fetches them. */
  createImport(
    origin: MediaOrigin,
    content: { readonly job: Job; readonly imports: readonly NewImport[] },
    record?: IdempotencyResult,
  ): Promise<void>;
  /** The files that a job still has to fetch. */
  pendingImports(jobId: string): Promise<readonly PendingImport[]>;
  /** The files that a job could not fetch, with the reasons. */
  failedImports(jobId: string): Promise<readonly { mediaId: string; error: string }[]>;
  /** Records the file of an item that waits for it, and the event. False if it no longer waits. */
  complete(
    mediaId: string,
    file: Omit<StoredFile, 'token'> & { readonly type: MediaType },
    at: Date,
  ): Promise<boolean>;
  /** Records why the file of a waiting item is not available, and the event. */
  fail(mediaId: string, error: string, at: Date): Promise<void>;
}

const INSERT_MEDIA =
  'INSERT INTO media (id, workspace_id, type, url, title, alt_text, in_library, created_at) ' +
  'SELECT m.id, $1, m.type::media_type, m.url, m.title, m."altText", m."inLibrary", $2 FROM jsonb_to_recordset($3::jsonb) ' +
  'AS m(id text, type text, url text, title text, "altText" text, "inLibrary" boolean)';

/** Creates media. */
async function insertMedia(
  sql: Sql,
  { workspaceId, at }: MediaOrigin,
  media: readonly NewMedia[],
): Promise<void> {
  await sql(INSERT_MEDIA, [workspaceId, at, JSON.stringify(media)]);
}

/** A stored file has got its media item. */
async function releaseKey(sql: Sql, storageKey: string): Promise<void> {
  await sql('DELETE FROM unused_media_file WHERE storage_key = $1', [storageKey]);
}

/** What happened to the file of a media item. */
interface MediaEvent extends Pick<NewMedia, 'id' | 'inLibrary'> {
  readonly type: 'media.ready' | 'media.failed';
}

/**
 * Writes the event of a file (D70). Only the uploading user sees an item outside the
 * library, until a post uses it.
 */
async function insertMediaEvent(
  sql: Sql,
  origin: MediaOrigin & { readonly uploadedBy?: string | null },
  { id, inLibrary, type }: MediaEvent,
): Promise<void> {
  const event: Event = {
    type,
    recordId: id,
    postId: null,
    documentId: null,
    accountId: null,
    version: null,
    changed: [],
    before: null,
    after: null,
    visibleTo: inLibrary ? null : (origin.uploadedBy ?? origin.actor.userId),
  };
  const parameters = new Parameters();
  await sql(insertEvents([{ change: origin, events: [event] }], parameters), parameters.values);
}

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
const createExpectedFileStore = (
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

/** The columns of a file's content. */
interface ContentRow {
  readonly contentType: MediaContentType | null;
  readonly bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
}

const CONTENT = 'f.content_type AS "contentType", f.bytes, f.width, f.height';

const toContent = ({ contentType, bytes, width, height }: ContentRow): MediaContent | null =>
  contentType === null || bytes === null
    ? null
    : {
        contentType,
        bytes,
        size: width === null || height === null ? null : { width, height },
      };

interface FileRow extends ContentRow {
  readonly id: string;
  readonly url: string;
  readonly status: MediaFileStatus;
  readonly hasThumbnail: boolean;
  readonly error: string | null;
}

const FILES_BY_ID = `
SELECT m.id, m.url, f.status, f.has_thumbnail AS "hasThumbnail", f.error, ${CONTENT}
  FROM media m JOIN media_file f ON f.media_id = m.id
 WHERE m.workspace_id = $1 AND m.id = ANY($2)`;

const toMediaFile = (row: FileRow): MediaFile => ({
  status: row.status,
  content: toContent(row),
  thumbnailUrl: row.hasThumbnail ? thumbnailPath(row.url) : null,
  error: row.error,
});

interface StoredRow extends ContentRow {
  readonly token: string;
  readonly storageKey: string;
  readonly hasThumbnail: boolean;
  readonly title: string | null;
}

const STORED = `
SELECT f.token, f.storage_key AS "storageKey", f.has_thumbnail AS "hasThumbnail", m.title, ${CONTENT}
  FROM media_file f JOIN media m ON m.id = f.media_id
 WHERE f.media_id = $1 AND f.status = 'ready'`;

const INSERT_FILE =
  'INSERT INTO media_file (media_id, status, token, storage_key, content_type, bytes, width, height, has_thumbnail, uploaded_by) ' +
  "VALUES ($1, 'ready', $2, $3, $4, $5, $6, $7, $8, $9)";

const UNUSED_KEYS =
  'SELECT storage_key AS "storageKey" FROM unused_media_file WHERE since < $1 ORDER BY since LIMIT $2';

/**
 * Media and their files in PostgreSQL. `traceparent`: the span of the current request, for its
 * jobs.
 */
export const createMediaFileStore = (
  database: Database,
  traceparent = (): string | null => null,
): MediaFileStore => ({
  ...createExpectedFileStore(database, traceparent),
  async byIds(workspaceId, ids) {
    const rows = await database.scan<FileRow>(FILES_BY_ID, [workspaceId, ids]);
    return new Map(rows.map((row) => [row.id, toMediaFile(row)]));
  },
  async findStored(mediaId) {
    const [row] = await database.read<StoredRow>(STORED, [mediaId]);
    return row ? { ...row, content: toContent(row)! } : null;
  },
  async unusedKeys(before, max) {
    const rows = await database.scan<{ storageKey: string }>(UNUSED_KEYS, [before, max]);
    return rows.map(({ storageKey }) => storageKey);
  },
  async forgetKeys(storageKeys) {
    await database.change('DELETE FROM unused_media_file WHERE storage_key = ANY($1)', [
      storageKeys,
    ]);
  },
  async reserveKey(storageKey) {
    await database.change('INSERT INTO unused_media_file (storage_key) VALUES ($1)', [storageKey]);
  },
  create: (origin, media, { token, storageKey, content, hasThumbnail }) =>
    database.transaction(async (sql) => {
      const { contentType, bytes, size } = content;
      await insertMedia(sql, origin, [media]);
      await sql(INSERT_FILE, [
        media.id,
        token,
        storageKey,
        contentType,
        bytes,
        size?.width ?? null,
        size?.height ?? null,
        hasThumbnail,
        origin.actor.userId,
      ]);
      await releaseKey(sql, storageKey);
      await insertMediaEvent(sql, origin, { ...media, type: 'media.ready' });
    }),
});
