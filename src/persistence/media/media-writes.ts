import type { Event } from '../../domain/events/event.js';
import type { MediaOrigin, NewMedia } from '../../services/media/media-ports.js';
import { insertEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';

const INSERT_MEDIA =
  'INSERT INTO media (id, workspace_id, type, url, title, alt_text, in_library, created_at) ' +
  'SELECT m.id, $1, m.type::media_type, m.url, m.title, m."altText", m."inLibrary", $2 FROM jsonb_to_recordset($3::jsonb) ' +
  'AS m(id text, type text, url text, title text, "altText" text, "inLibrary" boolean)';

/** Creates media. */
export async function insertMedia(
  sql: Sql,
  { workspaceId, at }: MediaOrigin,
  media: readonly NewMedia[],
): Promise<void> {
  await sql(INSERT_MEDIA, [workspaceId, at, JSON.stringify(media)]);
}

/** A stored file has got its media item. */
export async function releaseKey(sql: Sql, storageKey: string): Promise<void> {
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
export async function insertMediaEvent(
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
