import type { Media } from '../../domain/posts/post-content.js';
import type { Account } from '../../domain/posts/post.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import type {
  WorkspaceRecordStore,
  LibraryMedia,
  Notification,
} from '../../services/workspaces/workspace-ports.js';
import type { IdPrefix } from '../../services/ids.js';
import type { Database } from '../database.js';
import { sliceQuery, toSlicePage, type SliceOrder } from '../keyset-pagination.js';
import { createMemberReader } from './member-reader.js';
import { createLabelReader } from './label-reader.js';
import { isVisibleMedia } from './visible-records.js';

const NEWEST_FIRST: SliceOrder<Date> = {
  column: 'createdAt',
  direction: 'desc',
  read: (at) => new Date(at),
};

const ACCOUNT = {
  id: true,
  type: true,
  name: true,
  picture: true,
  network: true,
  socialId: true,
  needsReauth: true,
  sandbox: true,
} as const;
const ACCOUNTS_BY_ID =
  'SELECT id, type, name, picture, network, social_id AS "socialId", needs_reauth AS "needsReauth", sandbox FROM account WHERE workspace_id = $1 AND id = ANY($2::text[])';
const MEDIA = { id: true, type: true, url: true, altText: true, title: true } as const;
const NOTIFICATION = {
  id: true,
  kind: true,
  message: true,
  postId: true,
  createdAt: true,
} as const;

/**
 * Reads accounts, labels, media, notifications and members: one statement per method, limited to
 * one workspace. Malformed IDs are treated as unknown (D3) and not queried.
 */
export function createWorkspaceRecordStore(database: Database): WorkspaceRecordStore {
  const { prisma } = database;
  return {
    ...createMemberReader(database),
    ...createLabelReader(database),

    accounts: (workspaceId, networks, limit, offset) =>
      prisma.account.findMany({
        where: { workspaceId, ...(networks && { network: { in: [...networks] } }) },
        select: ACCOUNT,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: limit,
        skip: offset,
      }),
    async accountsById(workspaceId, ids) {
      return byId(
        await database.read<Account>(ACCOUNTS_BY_ID, [workspaceId, wellFormed('acc', ids)]),
      );
    },

    async media(workspaceId, slice) {
      const { AND, ...rest } = sliceQuery(NEWEST_FIRST, slice);
      const rows = await prisma.media.findMany({
        where: { workspaceId, inLibrary: true, AND },
        select: { ...MEDIA, createdAt: true },
        ...rest,
      });
      return toSlicePage(rows, slice, (media: LibraryMedia) => media);
    },
    mediaPage: (workspaceId, limit, offset) =>
      prisma.media.findMany({
        where: { workspaceId, inLibrary: true },
        select: MEDIA,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
    countMedia: (workspaceId) => prisma.media.count({ where: { workspaceId, inLibrary: true } }),
    async mediaById({ workspace, user }, ids) {
      return byId(
        await database.scan<Media>(VISIBLE_MEDIA, [workspace.id, wellFormed('med', ids), user.id]),
      );
    },

    async notifications({ workspace, user }, slice) {
      const { AND, ...rest } = sliceQuery(NEWEST_FIRST, slice);
      const rows = await prisma.notification.findMany({
        where: { userId: user.id, workspaceId: workspace.id, AND },
        select: NOTIFICATION,
        ...rest,
      });
      return toSlicePage(rows, slice, toNotification);
    },
    async notificationsById({ workspace, user }, ids) {
      const rows = await prisma.notification.findMany({
        where: { userId: user.id, workspaceId: workspace.id, id: { in: wellFormed('ntf', ids) } },
        select: NOTIFICATION,
      });
      return byId(rows.map(toNotification));
    },

    capSlots: (accountIds, since) =>
      prisma.capSlot.findMany({
        where: { accountId: { in: [...accountIds] }, at: { gte: since } },
        select: { accountId: true, postKind: true, at: true },
        orderBy: { at: 'asc' },
      }),
  };
}

const VISIBLE_MEDIA = `
SELECT m.id, m.type, m.url, m.alt_text AS "altText", m.title
  FROM media m
 WHERE m.workspace_id = $1 AND m.id = ANY($2) AND ${isVisibleMedia('$3')}`;

const wellFormed = (prefix: IdPrefix, ids: readonly string[]): string[] =>
  ids.filter((id) => isPrefixedId(prefix, id));
const byId = <T extends { id: string }>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [row.id, row]));
const toNotification = <N extends { postId: bigint | null }>(
  row: N & Omit<Notification, 'postId'>,
): Notification => ({ ...row, postId: row.postId === null ? null : Number(row.postId) });
