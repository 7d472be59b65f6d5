import { EMPTY_CHANGE } from '../../domain/changes/change.js';
import { type Actor, SERVICE } from '../../domain/access/viewer.js';
import { recordEvent } from '../../domain/events/events-of.js';
import type { Job } from '../../domain/jobs/job.js';
import type { Plan } from '../../domain/enums.js';
import { isVideo, type MediaContentType } from '../../domain/media/media-content.js';
import { excessOf, type MediaAmounts, type QuotaExcess } from '../../domain/media/media-quota.js';
import {
  atBaseUrl,
  thumbnailPath,
  toStoredMedia,
  type MediaContent,
  type MediaFile,
  type VideoProperties,
} from '../../domain/media/media-file.js';
import type { Media, MediaType } from '../../domain/posts/post-content.js';
import { writeJobs } from '../changes/change-records.js';
import { recordOutcome, type IdempotencyResult } from '../changes/idempotency-store.js';
import type { Database } from '../database.js';
import { insertEvents } from '../events/insert-events.js';
import type { Prisma, PrismaClient } from '../prisma/client.js';
import { Parameters, type Sql } from '../sql.js';
import { MEDIA } from '../workspaces/workspace-record-store.js';

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
  /** The quota of the workspace. */
  readonly quota: MediaAmounts;
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
  readonly workspaceId: string;
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
  readonly workspaceId: string;
  /** The plan of the workspace. */
  readonly plan: Plan;
}

/** An attempt of a job that fetches files. */
interface ImportAttempt {
  /** ID of the job. */
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** Files that a job still has to fetch. */
interface ImportCounts {
  /** Those included that the attempt has tried. */
  readonly waiting: number;
  readonly untried: number;
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
  /** What the media of workspaces take up. */
  amountsOf(workspaceIds: readonly string[], at: Date): Promise<ReadonlyMap<string, MediaAmounts>>;
  /** Creates a media item with its file, and the event (D70), unless the quota is too small. */
  create(origin: MediaOrigin, media: NewMedia, file: StoredFile): Promise<QuotaExcess | null>;
  /** Creates a media item that waits for its file, unless the quota is too small. */
  createUpload(origin: MediaOrigin, upload: NewUpload): Promise<QuotaExcess | null>;
  /** The item that waits for its file at this address; null if it expired or was used. */
  findUpload(mediaId: string, uploadTokenHash: string, now: Date): Promise<ExpectedUpload | null>;
  /**
   * Creates media that wait for their files, and the job that fetches them, unless the quota is too
   * small.
   */
  createImport(
    origin: MediaOrigin,
    content: { readonly job: Job; readonly imports: readonly NewImport[] },
    record?: IdempotencyResult,
  ): Promise<QuotaExcess | null>;
  /**
   * The next file that a job has not tried to fetch in this attempt; null if it has tried all of
   * them. From now on, it has tried this one, too.
   */
  tryNextImport(run: ImportAttempt): Promise<PendingImport | null>;
  /** How many files a job still has to fetch. */
  countImports(run: ImportAttempt): Promise<ImportCounts>;
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

const NO_VIDEO: VideoProperties = {
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
};

const toVideo = (row: VideoProperties): VideoProperties => ({
  durationMs: row.durationMs,
  videoCodec: row.videoCodec,
  audioCodec: row.audioCodec,
  frameRate: row.frameRate,
});

/** The columns of a file's content. */
interface ContentRow extends VideoProperties {
  readonly contentType: string | null;
  readonly bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
}

const toContent = ({
  contentType,
  bytes,
  width,
  height,
  ...row
}: ContentRow): MediaContent | null =>
  contentType === null || bytes === null
    ? null
    : {
        contentType: contentType as MediaContentType,
        bytes,
        size: width === null || height === null ? null : { width, height },
        video: isVideo(contentType as MediaContentType) ? toVideo(row) : null,
      };

const toContentRow = ({ contentType, bytes, size, video }: MediaContent): ContentRow => ({
  contentType,
  bytes,
  width: size?.width ?? null,
  height: size?.height ?? null,
  ...(video ?? NO_VIDEO),
});

const toMediaRow = ({ workspaceId, at }: MediaOrigin, media: NewMedia) => {
  const { id, type, url, title, altText, inLibrary } = toStoredMedia(media);
  return { id, workspaceId, type, url, title, altText, inLibrary, createdAt: at };
};

/** What happened to the file of a media item. */
interface MediaEvent extends Pick<NewMedia, 'id' | 'inLibrary'> {
  readonly type: 'media.ready' | 'media.failed';
  readonly uploadedBy: string | null;
}

/**
 * Writes the event of a file (D70). Only the uploading user sees an item outside the
 * library, until a post uses it. SQL: all events are written by one statement.
 */
function writeMediaEvent(
  records: Pick<PrismaClient, '$executeRawUnsafe'>,
  origin: Omit<MediaOrigin, 'quota'>,
  { id, inLibrary, type, uploadedBy }: MediaEvent,
): Prisma.PrismaPromise<number> {
  const event = recordEvent(type, id, inLibrary ? null : uploadedBy);
  const parameters = new Parameters();
  const text = insertEvents([{ change: origin, events: [event] }], parameters);
  return records.$executeRawUnsafe(text, ...parameters.values);
}

/** SQL: sums over the media of a workspace, which an index contains. */
const AMOUNTS = `
SELECT w.id AS "workspaceId", amounts.* FROM unnest($1::text[]) AS w(id), LATERAL (
SELECT COALESCE(sum(f.bytes) FILTER (WHERE f.status = 'ready' OR f.upload_expires_at > $2::timestamptz), 0)::float8 AS bytes,
       count(*) FILTER (WHERE f.status = 'waiting' AND f.upload_expires_at > $2::timestamptz)::float8 AS "openUploads",
       count(*) FILTER (WHERE f.status = 'waiting' AND f.upload_expires_at IS NULL)::float8 AS "waitingImports"
  FROM media_file f WHERE f.workspace_id = w.id
) amounts`;
interface AmountsRow extends MediaAmounts {
  readonly workspaceId: string;
}

/** Concurrent additions to a workspace wait for each other: none of them misses another one. */
const LOCK_AMOUNTS = "SELECT pg_advisory_xact_lock(hashtextextended('media ' || $1, 0))::text";

/** Why the quota of a workspace is too small for an addition, or null. Runs in its transaction. */
async function findExcess(
  sql: Sql,
  { workspaceId, at, quota }: MediaOrigin,
  added: Partial<MediaAmounts>,
): Promise<QuotaExcess | null> {
  await sql(LOCK_AMOUNTS, [workspaceId]);
  const [used] = await sql<AmountsRow>(AMOUNTS, [[workspaceId], at]);
  return excessOf(used!, added, quota);
}

/** Statements in a transaction of Prisma's client. */
const sqlOf =
  (records: Pick<PrismaClient, '$queryRawUnsafe'>): Sql =>
  (text, values = []) =>
    records.$queryRawUnsafe(text, ...values);

// SQL: many rows in a statement each, in one transaction with the job.
const INSERT_MEDIA =
  'INSERT INTO media (id, workspace_id, type, url, title, alt_text, in_library, created_at) ' +
  'SELECT m.id, $1, m.type::media_type, m.url, m.title, m."altText", m."inLibrary", $2 FROM jsonb_to_recordset($3::jsonb) ' +
  'AS m(id text, type text, url text, title text, "altText" text, "inLibrary" boolean)';
const INSERT_IMPORTS =
  'INSERT INTO media_file (media_id, workspace_id, status, token, source_url, job_id, uploaded_by) ' +
  `SELECT i.id, $4, 'waiting', i.token, i.url, $1, $2 FROM jsonb_to_recordset($3::jsonb) AS i(id text, token text, url text)`;

// SQL: one statement each, which find the files by their job.
const TRY_NEXT_IMPORT = `
UPDATE media_file SET attempts = $2 WHERE media_id = (
  SELECT media_id FROM media_file WHERE job_id = $1 AND status = 'waiting' AND attempts < $2 ORDER BY media_id LIMIT 1
) RETURNING media_id AS "mediaId", source_url AS "sourceUrl", workspace_id AS "workspaceId", COALESCE((
  SELECT u.plan FROM membership o JOIN app_user u ON u.id = o.user_id WHERE o.workspace_id = media_file.workspace_id AND o.role = 'owner' LIMIT 1
), 'free') AS plan`;
const COUNT_IMPORTS =
  'SELECT count(*)::int AS waiting, count(*) FILTER (WHERE attempts < $2)::int AS untried ' +
  "FROM media_file WHERE job_id = $1 AND status = 'waiting'";

type ExpectedFileStore = Pick<
  MediaFileStore,
  | 'createUpload'
  | 'findUpload'
  | 'createImport'
  | 'tryNextImport'
  | 'countImports'
  | 'failedImports'
  | 'complete'
  | 'fail'
>;

/** A file that the service fetched is its change; one that a client sent is the client's. */
const actorOf = (uploadedBy: string | null, jobId: string | null): Actor =>
  jobId === null ? { ...SERVICE, userId: uploadedBy } : SERVICE;

/** What became of a file that an item waits for. */
interface ArrivedFile {
  readonly id: string;
  readonly file: Prisma.MediaFileUpdateManyMutationInput;
  /** The type of its item; undefined if there is no file. */
  readonly type: MediaType | undefined;
  readonly event: MediaEvent['type'];
  readonly at: Date;
}

/** Media that wait for their files. `traceparent`: the span of the current request, for its jobs. */
function createExpectedFileStore(
  { prisma, change, changeRecords, scan, transaction, mediaBaseUrl }: Database,
  traceparent: () => string | null,
): ExpectedFileStore {
  /** Records what became of a file, and the event. False if no item waits for it any more. */
  const arrive = ({ id, file, type, event, at }: ArrivedFile): Promise<boolean> =>
    changeRecords((records) =>
      records.$transaction(async (tx) => {
        const [waiting] = await tx.mediaFile.updateManyAndReturn({
          where: { mediaId: id, status: 'waiting' },
          data: file,
          select: { storageKey: true, uploadedBy: true, jobId: true },
        });
        if (!waiting) return false;
        const { storageKey, uploadedBy, jobId } = waiting;
        if (storageKey !== null) await tx.unusedMediaFile.deleteMany({ where: { storageKey } });
        const { workspaceId, inLibrary } = await tx.media.update({
          where: { id },
          data: { type },
          select: { workspaceId: true, inLibrary: true },
        });
        const origin = { workspaceId, at, actor: actorOf(uploadedBy, jobId) };
        await writeMediaEvent(tx, origin, { id, inLibrary, type: event, uploadedBy });
        return true;
      }),
    );

  return {
    async createUpload(origin, { media, token, bytes, uploadTokenHash, expiresAt }) {
      const file = {
        status: 'waiting',
        workspaceId: origin.workspaceId,
        token,
        bytes,
        uploadTokenHash,
        uploadExpiresAt: expiresAt,
        uploadedBy: origin.actor.userId,
      } as const;
      return changeRecords((records) =>
        records.$transaction(async (tx) => {
          const excess = await findExcess(sqlOf(tx), origin, { bytes, openUploads: 1 });
          if (excess) return excess;
          await tx.media.create({ data: { ...toMediaRow(origin, media), file: { create: file } } });
          return null;
        }),
      );
    },
    async findUpload(mediaId, uploadTokenHash, now) {
      const file = await prisma.mediaFile.findFirst({
        where: { mediaId, status: 'waiting', uploadTokenHash, uploadExpiresAt: { gt: now } },
        select: { bytes: true, workspaceId: true, media: { select: MEDIA } },
      });
      return (
        file && {
          ...atBaseUrl(file.media, mediaBaseUrl()),
          workspaceId: file.workspaceId,
          expectedBytes: file.bytes!,
        }
      );
    },
    createImport: (origin, { job, imports }, record) =>
      transaction(async (sql) => {
        const added = { waitingImports: imports.length, bytes: imports.length };
        const excess = await findExcess(sql, origin, added);
        if (excess) return excess;
        if (record) await recordOutcome(sql, record);
        const { workspaceId, at, actor } = origin;
        const media = JSON.stringify(imports.map((item) => toStoredMedia(item.media)));
        await sql(INSERT_MEDIA, [workspaceId, at, media]);
        const files = imports.map((item) => ({
          id: item.media.id,
          token: item.token,
          url: item.sourceUrl,
        }));
        await sql(INSERT_IMPORTS, [job.id, actor.userId, JSON.stringify(files), workspaceId]);
        const jobs = [{ ...job, postVersion: null }];
        await writeJobs(sql, { ...EMPTY_CHANGE, ...origin, posts: [], jobs }, traceparent());
        return null;
      }),
    tryNextImport: async ({ id, attempt }) =>
      (await change<PendingImport>(TRY_NEXT_IMPORT, [id, attempt]))[0] ?? null,
    countImports: async ({ id, attempt }) =>
      (await scan<ImportCounts>(COUNT_IMPORTS, [id, attempt]))[0]!,
    async failedImports(jobId) {
      const files = await prisma.mediaFile.findMany({
        where: { jobId, status: 'failed' },
        orderBy: { mediaId: 'asc' },
      });
      return files.map(({ mediaId, error }) => ({ mediaId, error: error! }));
    },
    complete: (id, { type, storageKey, content, hasThumbnail }, at) => {
      const row = { ...toContentRow(content), storageKey, hasThumbnail, uploadTokenHash: null };
      const file = { ...row, status: 'ready' } as const;
      return arrive({ id, file, type, event: 'media.ready', at });
    },
    async fail(id, error, at) {
      const file = { status: 'failed', error } as const;
      await arrive({ id, file, type: undefined, event: 'media.failed', at });
    },
  };
}

interface StoredRow extends ContentRow {
  readonly token: string;
  readonly storageKey: string;
  readonly hasThumbnail: boolean;
  readonly title: string | null;
}

/** SQL: runs for every file that is sent; Prisma sends two queries and needs ten times the CPU time. */
const STORED = `
SELECT f.token, f.storage_key AS "storageKey", f.has_thumbnail AS "hasThumbnail", m.title,
       f.content_type AS "contentType", f.bytes, f.width, f.height,
       f.duration_ms AS "durationMs", f.video_codec AS "videoCodec", f.audio_codec AS "audioCodec", f.frame_rate AS "frameRate"
  FROM media_file f JOIN media m ON m.id = f.media_id
 WHERE f.media_id = $1 AND f.status = 'ready'`;

/**
 * Media and their files in PostgreSQL. `traceparent`: the span of the current request, for its
 * jobs.
 */
export function createMediaFileStore(
  database: Database,
  traceparent = (): string | null => null,
): MediaFileStore {
  const { prisma, change, changeRecords, read, scan } = database;
  return {
    ...createExpectedFileStore(database, traceparent),
    async amountsOf(workspaceIds, at) {
      const rows = await scan<AmountsRow>(AMOUNTS, [workspaceIds, at]);
      return new Map(rows.map(({ workspaceId, ...amounts }) => [workspaceId, amounts]));
    },
    async byIds(workspaceId, ids) {
      const files = await prisma.mediaFile.findMany({
        where: { mediaId: { in: [...ids] }, media: { workspaceId } },
        include: { media: { select: { id: true, url: true } } },
      });
      return new Map(
        files.map(({ mediaId, status, error, hasThumbnail, media, ...content }) => {
          const { url } = atBaseUrl(media, database.mediaBaseUrl());
          const thumbnailUrl = hasThumbnail ? thumbnailPath(url) : null;
          return [mediaId, { status, content: toContent(content), thumbnailUrl, error }];
        }),
      );
    },
    async findStored(mediaId) {
      const [row] = await read<StoredRow>(STORED, [mediaId]);
      return row ? { ...row, content: toContent(row)! } : null;
    },
    async unusedKeys(before, max) {
      const files = await prisma.unusedMediaFile.findMany({
        where: { since: { lt: before } },
        orderBy: { since: 'asc' },
        take: max,
      });
      return files.map(({ storageKey }) => storageKey);
    },
    async forgetKeys(storageKeys) {
      const where = { storageKey: { in: [...storageKeys] } };
      await changeRecords(({ unusedMediaFile }) => unusedMediaFile.deleteMany({ where }));
    },
    /** SQL: the time is that of the server. */
    async reserveKey(storageKey) {
      await change('INSERT INTO unused_media_file (storage_key) VALUES ($1)', [storageKey]);
    },
    async create(origin, media, { token, storageKey, content, hasThumbnail }) {
      const uploadedBy = origin.actor.userId;
      const { workspaceId } = origin;
      const row = { token, storageKey, ...toContentRow(content), hasThumbnail, uploadedBy };
      const file = { ...row, workspaceId, status: 'ready' } as const;
      return changeRecords((records) =>
        records.$transaction(async (tx) => {
          const excess = await findExcess(sqlOf(tx), origin, { bytes: content.bytes });
          if (excess) return excess;
          await tx.media.create({ data: { ...toMediaRow(origin, media), file: { create: file } } });
          await tx.unusedMediaFile.deleteMany({ where: { storageKey } });
          await writeMediaEvent(tx, origin, { ...media, type: 'media.ready', uploadedBy });
          return null;
        }),
      );
    },
  };
}
