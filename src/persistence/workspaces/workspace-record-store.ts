import { type Viewer, type Workspace, canApprove } from '../../domain/access/viewer.js';
import { atBaseUrl } from '../../domain/media/media-file.js';
import type { CapSlot } from '../../domain/changes/change.js';
import { ROLES, type Role, enumKeys } from '../../domain/enums.js';
import { type Label, type Media, labelKey } from '../../domain/posts/post-content.js';
import type { Network } from '../../domain/networks/networks.js';
import {
  type IdPrefix,
  isPrefixedId,
  type Account,
  type UserSummary,
} from '../../domain/posts/post.js';
import type {
  LibraryMedia,
  Member,
  Notification,
  PublicationSettings,
  Slice,
  SlicePage,
  SlicePosition,
} from '../../domain/workspaces/workspace-records.js';
import type { Database } from '../database.js';
import { type SliceOrder, sliceQuery, toSlicePage } from '../keyset-pagination.js';
import { Parameters } from '../sql.js';
import { isVisibleLabel, isVisibleMedia } from './visible-records.js';

/** The labels of $1 that user $2 can see. SQL: their uses are looked up in an index. */
const VISIBLE_LABELS = `FROM label l WHERE l.workspace_id = $1 AND ${isVisibleLabel('$2')}`;
const SELECT_LABELS = `SELECT l.id, l.name, l.color ${VISIBLE_LABELS}`;

/** One page, by name and then by ID; one row more than the limit. */
function pageStatement(scope: readonly [string, string], slice: Slice) {
  const { limit, after, before, fromEnd } = slice;
  const p = new Parameters();
  for (const value of scope) p.add(value);
  const bound = (operator: '>' | '<', { sortValue, id }: SlicePosition): string =>
    ` AND (l.name_key, l.id) ${operator} (${p.add(labelKey(sortValue), 'text')}, ${p.add(id, 'text')})`;
  const bounds = (after ? bound('>', after) : '') + (before ? bound('<', before) : '');
  const direction = fromEnd ? 'DESC' : 'ASC';
  return {
    text: `${SELECT_LABELS}${bounds} ORDER BY l.name_key ${direction}, l.id ${direction} LIMIT ${p.add(limit + 1, 'int')}`,
    values: p.values,
  };
}

/** Labels that the viewer can see: not those that only other users' private drafts have (D13). */
function createLabelReader(database: Database) {
  return {
    async labels({ workspace, user }: Viewer, slice: Slice): Promise<SlicePage<Label>> {
      const { text, values } = pageStatement([workspace.id, user.id], slice);
      return toSlicePage(await database.scan<Label>(text, values), slice, (label) => label);
    },
    /** A page, by name and then by ID. */
    labelPage: (
      { workspace, user }: Viewer,
      { limit, offset }: { readonly limit: number; readonly offset: number },
    ): Promise<Label[]> =>
      database.scan<Label>(`${SELECT_LABELS} ORDER BY l.name_key, l.id LIMIT $3 OFFSET $4`, [
        workspace.id,
        user.id,
        limit,
        offset,
      ]),
    async countLabels({ workspace, user }: Viewer): Promise<number> {
      const rows = await database.scan<{ count: number }>(
        `SELECT count(*)::int AS count ${VISIBLE_LABELS}`,
        [workspace.id, user.id],
      );
      return rows[0]!.count;
    },
    async labelsById(
      { workspace, user }: Viewer,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Label>> {
      const rows = await database.scan<Label>(`${SELECT_LABELS} AND l.id = ANY($3::text[])`, [
        workspace.id,
        user.id,
        ids.filter((id) => isPrefixedId('lbl', id)),
      ]);
      return new Map(rows.map((label) => [label.id, label]));
    },
  };
}

/** Reads the members of workspaces. */
function createMemberReader({ prisma }: Database) {
  return {
    /** The plan of a workspace is that of its owner (D34). */
    async workspacesOf(userId: string): Promise<Workspace[]> {
      const workspaces = await prisma.workspace.findMany({
        where: { memberships: { some: { userId } } },
        select: {
          id: true,
          name: true,
          picture: true,
          timeZone: true,
          requiresApproval: true,
          locked: true,
          memberships: { where: { role: 'owner' }, select: { user: { select: { plan: true } } } },
        },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      return workspaces.map(({ memberships: [owner], ...workspace }) => ({
        ...workspace,
        plan: owner?.user.plan ?? 'free',
      }));
    },
    async membersOf(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Member[]>> {
      const rows = await prisma.membership.findMany({
        where: { workspaceId: { in: [...workspaceIds] } },
        select: {
          workspaceId: true,
          role: true,
          postActions: true,
          user: { select: { id: true, name: true, picture: true, email: true } },
        },
        orderBy: [{ role: 'asc' }, { user: { name: 'asc' } }, { userId: 'asc' }],
      });
      const members = new Map<string, Member[]>(workspaceIds.map((id) => [id, []]));
      for (const { workspaceId, user, ...rest } of rows) {
        const { email, ...summary } = user;
        members.get(workspaceId)?.push({ user: summary, ...rest, email });
      }
      return members;
    },
    /** Of any workspaces: callers ask for those of the user only. */
    async publicationSettingsOf(
      workspaceIds: readonly string[],
    ): Promise<ReadonlyMap<string, PublicationSettings>> {
      const workspaces = await prisma.workspace.findMany({
        where: { id: { in: [...workspaceIds] } },
        select: { id: true, lateMinutes: true, locked: true },
      });
      return new Map(workspaces.map(({ id, ...settings }) => [id, settings]));
    },
    /** Members of the workspace, and creators of its posts. */
    async usersById(
      workspaceId: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, UserSummary>> {
      const users = await prisma.user.findMany({
        where: {
          id: { in: ids.filter((id) => isPrefixedId('usr', id)) },
          OR: [{ memberships: { some: { workspaceId } } }, { posts: { some: { workspaceId } } }],
        },
        select: { id: true, name: true, picture: true },
      });
      return new Map(users.map((user) => [user.id, user]));
    },
    /** IDs of the members who can approve in this workspace (D24). */
    async approvers(workspaceId: string): Promise<string[]> {
      const roles = enumKeys<Role>(ROLES).filter(canApprove);
      const rows = await prisma.membership.findMany({
        where: { workspaceId, role: { in: roles } },
        select: { userId: true },
        orderBy: { userId: 'asc' },
      });
      return rows.map(({ userId }) => userId);
    },
  };
}

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
/** SQL: creations and event streams read it, and Prisma needs five times the CPU time. */
const ACCOUNTS_BY_ID =
  'SELECT id, type, name, picture, network, social_id AS "socialId", needs_reauth AS "needsReauth", sandbox FROM account WHERE workspace_id = $1 AND id = ANY($2::text[])';
/** The columns of `Media`. */
export const MEDIA = { id: true, type: true, url: true, altText: true, title: true } as const;
const NOTIFICATION = {
  id: true,
  kind: true,
  message: true,
  postId: true,
  createdAt: true,
} as const;

/**
 * Reads accounts, labels, media, notifications and members: one statement per method. Every query
 * but `workspacesOf`, `membersOf` and `publicationSettingsOf` is limited to one workspace. Malformed
 * IDs are treated as unknown (D3) and not queried.
 */
export function createWorkspaceRecordStore(database: Database) {
  const { prisma } = database;
  /** With the URL at which clients reach the file now. */
  const atBase = <M extends Media>(media: M): M => atBaseUrl(media, database.mediaBaseUrl());
  return {
    ...createMemberReader(database),
    ...createLabelReader(database),

    accounts: (
      workspaceId: string,
      networks: readonly Network[] | null,
      limit: number,
      offset: number,
    ): Promise<Account[]> =>
      prisma.account.findMany({
        where: { workspaceId, ...(networks && { network: { in: [...networks] } }) },
        select: ACCOUNT,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: limit,
        skip: offset,
      }),
    async accountsById(
      workspaceId: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Account>> {
      return byId(
        await database.read<Account>(ACCOUNTS_BY_ID, [workspaceId, wellFormed('acc', ids)]),
      );
    },

    /** The library, newest first. */
    async media(workspaceId: string, slice: Slice): Promise<SlicePage<LibraryMedia>> {
      const { AND, ...rest } = sliceQuery(NEWEST_FIRST, slice);
      const rows = await prisma.media.findMany({
        where: { workspaceId, inLibrary: true, AND },
        select: { ...MEDIA, createdAt: true },
        ...rest,
      });
      return toSlicePage(rows, slice, atBase);
    },
    async mediaPage(workspaceId: string, limit: number, offset: number): Promise<Media[]> {
      const rows = await prisma.media.findMany({
        where: { workspaceId, inLibrary: true },
        select: MEDIA,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      });
      return rows.map(atBase);
    },
    countMedia: (workspaceId: string): Promise<number> =>
      prisma.media.count({ where: { workspaceId, inLibrary: true } }),
    /** Media of the library, or of a post that the viewer can see. */
    async mediaById(
      { workspace, user }: Viewer,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Media>> {
      const values = [workspace.id, wellFormed('med', ids), user.id];
      return byId((await database.scan<Media>(VISIBLE_MEDIA, values)).map(atBase));
    },

    async notifications(
      { workspace, user }: Viewer,
      slice: Slice,
    ): Promise<SlicePage<Notification>> {
      const { AND, ...rest } = sliceQuery(NEWEST_FIRST, slice);
      const rows = await prisma.notification.findMany({
        where: { userId: user.id, workspaceId: workspace.id, AND },
        select: NOTIFICATION,
        ...rest,
      });
      return toSlicePage(rows, slice, toNotification);
    },
    async notificationsById(
      { workspace, user }: Viewer,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Notification>> {
      const rows = await prisma.notification.findMany({
        where: { userId: user.id, workspaceId: workspace.id, id: { in: wellFormed('ntf', ids) } },
        select: NOTIFICATION,
      });
      return byId(rows.map(toNotification));
    },

    /** Cap slots of the accounts from `since` on. */
    capSlots: (accountIds: readonly string[], since: Date): Promise<CapSlot[]> =>
      prisma.capSlot.findMany({
        where: { accountId: { in: [...accountIds] }, at: { gte: since } },
        select: { accountId: true, postKind: true, at: true },
        orderBy: { at: 'asc' },
      }),
  };
}
export type WorkspaceRecordStore = ReturnType<typeof createWorkspaceRecordStore>;

/** SQL: the uses of each media item are looked up in an index. */
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
