import type { AdminLists } from '../../services/workspaces/workspace-ports.js';
import type { Database } from '../database.js';

/**
 * Lists records for operator commands, with explicitly named columns only. The gateway reads them
 * through the workspace record store.
 */
export const createAdminLists = ({ prisma }: Database): AdminLists => ({
  users: () =>
    prisma.user.findMany({
      select: {
        id: true,
        name: true,
        email: true,
        plan: true,
        rateLimitOverride: true,
        createdAt: true,
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  async workspaces() {
    const rows = await prisma.workspace.findMany({
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: {
        id: true,
        name: true,
        timeZone: true,
        requiresApproval: true,
        locked: true,
        createdAt: true,
        memberships: {
          where: { role: 'owner' },
          select: { user: { select: { id: true, name: true, plan: true } } },
        },
        _count: { select: { memberships: true } },
      },
    });
    return rows.map(({ memberships: [owner], _count: { memberships: members }, ...workspace }) => ({
      ...workspace,
      owner: owner?.user ?? null,
      members,
    }));
  },
  async members(workspaceId) {
    const rows = await prisma.membership.findMany({
      where: { workspaceId },
      orderBy: [{ role: 'asc' }, { createdAt: 'asc' }, { userId: 'asc' }],
      select: {
        role: true,
        postActions: true,
        user: { select: { id: true, name: true, email: true } },
      },
    });
    return rows.map(({ user: { id: userId, ...user }, ...membership }) => ({
      userId,
      ...user,
      ...membership,
    }));
  },
});
