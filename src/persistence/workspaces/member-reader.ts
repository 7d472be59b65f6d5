import { isPrefixedId } from '../../domain/posts/post-id.js';
import { canApprove, type Workspace } from '../../domain/access/viewer.js';
import { ROLES, enumKeys, type Role } from '../../domain/enums.js';
import type { WorkspaceRecordStore, Member } from '../../services/workspaces/workspace-ports.js';
import type { Database } from '../database.js';

type MemberReader = Pick<
  WorkspaceRecordStore,
  'workspacesOf' | 'membersOf' | 'publicationSettingsOf' | 'usersById' | 'approvers'
>;

/** Reads the members of workspaces. */
export function createMemberReader(database: Database): MemberReader {
  const { prisma } = database;
  return {
    workspacesOf: (userId) => database.scan<Workspace>(WORKSPACES_OF, [userId]),
    async membersOf(workspaceIds) {
      const rows = await database.scan<MemberRow>(MEMBERS_OF, [workspaceIds]);
      const members = new Map<string, Member[]>(workspaceIds.map((id) => [id, []]));
      for (const { workspaceId, userId, name, picture, ...rest } of rows)
        members.get(workspaceId)?.push({ user: { id: userId, name, picture }, ...rest });
      return members;
    },
    async publicationSettingsOf(workspaceIds) {
      const workspaces = await prisma.workspace.findMany({
        where: { id: { in: [...workspaceIds] } },
        select: { id: true, lateMinutes: true, locked: true },
      });
      return new Map(workspaces.map(({ id, ...settings }) => [id, settings]));
    },
    async usersById(workspaceId, ids) {
      const users = await prisma.user.findMany({
        where: {
          id: { in: ids.filter((id) => isPrefixedId('usr', id)) },
          OR: [{ memberships: { some: { workspaceId } } }, { posts: { some: { workspaceId } } }],
        },
        select: { id: true, name: true, picture: true },
      });
      return new Map(users.map((user) => [user.id, user]));
    },
    async approvers(workspaceId) {
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

interface MemberRow {
  workspaceId: string;
  userId: string;
  name: string;
  picture: string | null;
  role: Role;
  postActions: boolean;
  email: string;
}

// The plan of a workspace is that of its owner (D34).
const WORKSPACES_OF = `
SELECT w.id, w.name, w.picture, COALESCE(o.plan, 'free') AS plan, w.time_zone AS "timeZone", w.requires_approval AS "requiresApproval", w.locked
  FROM membership m
  JOIN workspace w ON w.id = m.workspace_id
  LEFT JOIN membership om ON om.workspace_id = w.id AND om.role = 'owner'
  LEFT JOIN app_user o ON o.id = om.user_id
 WHERE m.user_id = $1
 ORDER BY w.created_at, w.id`;

const MEMBERS_OF = `
SELECT m.workspace_id AS "workspaceId", u.id AS "userId", u.name, u.picture, m.role, m.post_actions AS "postActions", u.email
  FROM membership m
  JOIN app_user u ON u.id = m.user_id
 WHERE m.workspace_id = ANY($1)
 ORDER BY m.role, u.name, u.id`;
