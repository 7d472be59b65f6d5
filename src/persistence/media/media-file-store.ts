import type { MediaContentType } from '../../domain/media/media-content.js';
import {
  thumbnailPath,
  type MediaContent,
  type MediaFile,
  type MediaFileStatus,
} from '../../domain/media/media-file.js';
import type { MediaFileStore } from '../../services/media/media-ports.js';
import type { Database } from '../database.js';
import { createExpectedFileStore } from './expected-files.js';
import { insertMedia, insertMediaEvent, releaseKey } from './media-writes.js';

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
