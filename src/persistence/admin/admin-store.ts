import type { Scope } from '../../domain/access/scopes.js';
import type { Database } from '../database.js';
import { writeAccountConnected } from '../events/account-events.js';
import type { Prisma, PrismaClient } from '../prisma/client.js';
import type { KeyAdmin } from '../../services/access/access-ports.js';
import type { GrantsVersions } from '../../services/access/grants-versions.js';
import type { AdminStore } from '../../services/admin/admin-ports.js';
import type { AdminLists } from '../../services/workspaces/workspace-ports.js';

/**
 * Finds the users whose grants a change affects. Call it after the change is committed: users who
 * become members later read the new state.
 */
function createAffectedUsers(prisma: PrismaClient) {
  const membersOf = async (workspace: object): Promise<string[]> =>
    (
      await prisma.membership.findMany({
        where: { workspace },
        select: { userId: true },
        distinct: ['userId'],
      })
    ).map(({ userId }) => userId);

  return {
    /**
     * The user, and all members of the workspaces that the user owns: these have the owner's plan
     * (D34).
     */
    byUser: async (id: string): Promise<string[]> => [
      id,
      ...(await membersOf({ memberships: { some: { role: 'owner', userId: id } } })),
    ],
    byWorkspace: (id: string): Promise<string[]> => membersOf({ id }),
    /** All members of these workspaces, and the users of these keys. */
    async byWorkspacesAndKeys(
      workspaces: Prisma.WorkspaceWhereInput,
      keys: Prisma.ApiKeyWhereInput,
    ): Promise<string[]> {
      const owners = await prisma.apiKey.findMany({
        where: keys,
        select: { userId: true },
        distinct: ['userId'],
      });
      return [...owners.map(({ userId }) => userId), ...(await membersOf(workspaces))];
    },
  };
}

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

/** Stores the records that operators administer. */
export function createAdminStore({ prisma }: Database, grantsVersions: GrantsVersions): AdminStore {
  const affectedUsers = createAffectedUsers(prisma);
  const renewIfChanged = async (
    changed: { count: number },
    userIds: () => Promise<readonly string[]>,
  ): Promise<boolean> => {
    if (changed.count > 0) await grantsVersions.renew(await userIds());
    return changed.count > 0;
  };

  return {
    async addUser(data) {
      await prisma.user.create({ data });
    },
    async restoreUser({ id, ...user }) {
      const values = { picture: null, rateLimitOverride: null, ...user };
      const { id: restored } = await prisma.user.upsert({
        where: { email: user.email },
        create: { id, ...values },
        update: values,
        select: { id: true },
      });
      await grantsVersions.renew(await affectedUsers.byUser(restored));
      return restored;
    },
    findUser: (idOrEmail) =>
      prisma.user.findFirst({
        where: { OR: [{ id: idOrEmail }, { email: { equals: idOrEmail, mode: 'insensitive' } }] },
        select: { id: true, name: true },
      }),
    hasWorkspace: async (id) => (await prisma.workspace.count({ where: { id } })) > 0,
    async addWorkspace(data, ownerId) {
      await prisma.workspace.create({
        data: { ...data, memberships: { create: { userId: ownerId, role: 'owner' } } },
      });
      await grantsVersions.renew([ownerId]);
    },
    updateUser: async (id, data) =>
      renewIfChanged(await prisma.user.updateMany({ where: { id }, data }), () =>
        affectedUsers.byUser(id),
      ),
    updateWorkspace: async (id, data) =>
      renewIfChanged(await prisma.workspace.updateMany({ where: { id }, data }), () =>
        affectedUsers.byWorkspace(id),
      ),
    async addMember(data) {
      await prisma.membership.create({ data });
      await grantsVersions.renew([data.userId]);
    },
    roleOf: async (workspaceId, userId) =>
      (
        await prisma.membership.findUnique({
          where: { workspaceId_userId: { workspaceId, userId } },
          select: { role: true },
        })
      )?.role ?? null,
    updateMember: async (workspaceId, userId, data) =>
      renewIfChanged(
        await prisma.membership.updateMany({ where: { workspaceId, userId }, data }),
        async () => [userId],
      ),
    removeMember: async (workspaceId, userId) =>
      renewIfChanged(
        await prisma.membership.deleteMany({ where: { workspaceId, userId } }),
        async () => [userId],
      ),
    async addAccount(workspaceId, account) {
      await prisma.$transaction([
        prisma.account.create({ data: { ...account, workspaceId } }),
        writeAccountConnected(prisma, account.id),
      ]);
    },

    async deleteWorkspacesAndKeys(workspaceIds, keyHashes) {
      const workspaces = { id: { in: [...workspaceIds] } };
      const keys = { hash: { in: keyHashes.map((hash) => Uint8Array.from(hash)) } };
      const userIds = await affectedUsers.byWorkspacesAndKeys(workspaces, keys);
      await prisma.$transaction([
        // an import may have created a large number of posts
        prisma.$executeRaw`SET LOCAL statement_timeout = 0`,
        // first: posts restrict the deletion of accounts and media
        prisma.post.deleteMany({ where: { workspace: workspaces } }),
        prisma.event.deleteMany({ where: { workspaceId: workspaces.id } }),
        prisma.workspace.deleteMany({ where: workspaces }),
        prisma.apiKey.deleteMany({ where: keys }),
      ]);
      await grantsVersions.renew(userIds);
    },

    async addKey(key, hash) {
      await prisma.apiKey.create({ data: keyRow(key, hash) });
    },
    async keys(userId) {
      const rows = await prisma.apiKey.findMany({
        where: userId === undefined ? {} : { userId },
        omit: { hash: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map((row) => ({ ...row, scopes: row.scopes as Scope[] }));
    },
    async replaceKey(id, { key, hash, until }) {
      const now = key.createdAt;
      const isReplaceable = {
        id,
        userId: key.userId,
        revokedAt: null,
        replacedBy: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: now, gte: until } }],
      };
      const isReplaced = await prisma.$transaction(async (tx) => {
        if (
          (
            await tx.apiKey.updateMany({
              where: isReplaceable,
              data: { expiresAt: until, replacedBy: key.id },
            })
          ).count === 0
        )
          return false;
        await tx.apiKey.create({ data: keyRow(key, hash) });
        return true;
      });
      await grantsVersions.renew(isReplaced ? [key.userId] : []);
      return isReplaced;
    },
    async revokeKey(id, at) {
      const key = await prisma.apiKey.findUnique({ where: { id }, select: { userId: true } });
      if (!key) return false;
      await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
      // also for a key that was already revoked: the command that revoked it may have been
      // interrupted here
      await grantsVersions.renew([key.userId]);
      return true;
    },
  };
}

const keyRow = ({ scopes, ...key }: Parameters<KeyAdmin['addKey']>[0], hash: Uint8Array) => ({
  ...key,
  scopes: [...scopes],
  hash: Buffer.from(hash),
});
