import { toActor, type Viewer } from '../../domain/access/viewer.js';
import { recordEvent } from '../../domain/events/events-of.js';
import { atBaseUrl } from '../../domain/media/media-file.js';
import type { Media } from '../../domain/posts/post-content.js';
import type { Database } from '../database.js';
import { announceEvents, insertEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';
import { isUsableMedia, MEDIA_USES, isVisible } from '../workspaces/visible-records.js';

/** A media item that a member wants to change. */
export interface ChangeableMedia extends Media {
  readonly inLibrary: boolean;
  /** The user who added the file; null for the service, and for a file on another server. */
  readonly uploadedBy: string | null;
}

/** The posts that use a media item. */
export interface MediaUses {
  /** Document IDs of some posts that the viewer can see. */
  readonly posts: readonly string[];
  /** How many posts the viewer can see. */
  readonly visible: number;
  /** How many posts were deleted but can be restored, or are hidden from the viewer. */
  readonly hidden: number;
}

/** Posts named at most. */
const NAMED_POSTS = 3;

const FIND = `
SELECT m.id, m.type, m.url, m.alt_text AS "altText", m.title, m.in_library AS "inLibrary",
       (SELECT f.uploaded_by FROM media_file f WHERE f.media_id = m.id) AS "uploadedBy"
  FROM media m
 WHERE m.workspace_id = $1 AND m.id = $2 AND ${isUsableMedia('$3')}`;

/** A post that uses the item in two places counts once. */
const USES = `
SELECT COALESCE((array_agg(u.doc_id ORDER BY u.id) FILTER (WHERE u.visible))[1:${NAMED_POSTS}], '{}') AS posts,
       count(*) FILTER (WHERE u.visible)::int AS visible,
       count(*) FILTER (WHERE NOT u.visible)::int AS hidden
  FROM (${MEDIA_USES.map(
    (use) =>
      `SELECT p.id, p.doc_id, (p.deleted_at IS NULL AND ${isVisible('$2')}) AS visible FROM media m CROSS JOIN LATERAL ${use} WHERE m.id = $1`,
  ).join(' UNION ')}) u`;

/** New uses wait, and so does the arrival of the file, which takes its rows in this order, too. */
const LOCK = [
  'SELECT FROM media_file WHERE media_id = $1 FOR UPDATE',
  'SELECT FROM media WHERE id = $1 FOR UPDATE',
];

/**
 * Changes media items, each with the event that tells the members who can see it. SQL: events are
 * written in the transaction of the change, and the uses of a record are looked up in an index.
 */
export function createMediaStore(database: Database) {
  const usesOf = async (sql: Sql, id: string, { user }: Viewer): Promise<MediaUses> =>
    (await sql<MediaUses>(USES, [id, user.id]))[0]!;

  async function writeEvent(
    sql: Sql,
    { viewer, at }: { readonly viewer: Viewer; readonly at: Date },
    { id, inLibrary, uploadedBy }: ChangeableMedia,
  ): Promise<void> {
    const visibleTo = inLibrary ? null : (uploadedBy ?? viewer.user.id);
    const change = { workspaceId: viewer.workspace.id, actor: toActor(viewer), at };
    const parameters = new Parameters();
    const events = [recordEvent('media.changed', id, visibleTo)];
    await sql(insertEvents([{ change, events }], parameters), parameters.values);
  }

  return {
    /** A media item that the viewer can attach to posts; null if there is none. */
    async find({ workspace, user }: Viewer, id: string): Promise<ChangeableMedia | null> {
      const rows = await database.scan<ChangeableMedia>(FIND, [workspace.id, id, user.id]);
      return rows[0] ? atBaseUrl(rows[0], database.mediaBaseUrl()) : null;
    },
    /** The posts that use the item, also those that were deleted and can be restored. */
    usesOf: (viewer: Viewer, id: string): Promise<MediaUses> =>
      usesOf((text, values = []) => database.scan(text, values), id, viewer),
    /** Sets the alternative text of the item. False if it does not exist any more. */
    async update(
      origin: { readonly viewer: Viewer; readonly at: Date },
      media: ChangeableMedia,
    ): Promise<boolean> {
      const isChanged = await database.transaction(async (sql) => {
        const update = 'UPDATE media SET alt_text = $2 WHERE id = $1 RETURNING id';
        if ((await sql(update, [media.id, media.altText])).length === 0) return false;
        await writeEvent(sql, origin, media);
        return true;
      });
      if (isChanged) announceEvents(database, origin.viewer.workspace.id);
      return isChanged;
    },
    /** Deletes the item unless posts use it; returns their number and some of them. */
    async delete(
      origin: { readonly viewer: Viewer; readonly at: Date },
      media: ChangeableMedia,
    ): Promise<MediaUses> {
      const uses = await database.transaction(async (sql) => {
        for (const lock of LOCK) await sql(lock, [media.id]);
        const found = await usesOf(sql, media.id, origin.viewer);
        if (found.visible + found.hidden > 0) return found;
        const deleted = await sql('DELETE FROM media WHERE id = $1 RETURNING id', [media.id]);
        if (deleted.length > 0) await writeEvent(sql, origin, media);
        return found;
      });
      announceEvents(database, origin.viewer.workspace.id);
      return uses;
    },
  };
}
export type MediaStore = ReturnType<typeof createMediaStore>;
