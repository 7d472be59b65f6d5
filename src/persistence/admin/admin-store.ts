import type { Scope } from '../../domain/access/scopes.js';
import type { Account } from '../../domain/posts/post.js';
import type { Workspace } from '../../domain/access/viewer.js';
import type { Plan, Role } from '../../domain/vocabulary.js';
import type { KeyRecords } from '../../services/ports.js';
import type { AccessEpochs } from '../../redis/grants-versions.js';
import { concernedBy } from '../access/concerned-users.js';
import type { PrismaClient } from '../prisma/client.js';

export interface NewUser {
  id: string;
  name: string;
  email: string;
  plan: Plan;
  picture?: string | null;
  rateLimitOverride?: number | null;
}
interface Membership {
  workspaceId: string;
  userId: string;
  role: Role;
  postActions?: boolean;
}
type WorkspaceSettings = Pick<Workspace, 'name' | 'timeZone' | 'requiresApproval'>;

/**
 * What an operator makes; the gateway itself only reads it. Whatever changes what somebody's key grants has ended their
 * access epoch before it returns (D33).
 */
export interface AdminStore extends KeyRecords {
  addUser(user: NewUser): Promise<void>;
  /** Puts a user back as given, found by the address; gives the id it has had since it was first made. */
  restoreUser(user: NewUser): Promise<string>;
  /** By id or by address, ignoring its case; null where there is none. */
  findUser(idOrEmail: string): Promise<{ id: string; name: string } | null>;
  hasWorkspace(id: string): Promise<boolean>;
  /** A workspace and its owner's membership, together. */
  addWorkspace(workspace: Omit<Workspace, 'plan'>, ownerId: string): Promise<void>;
  /** False where there is no such user; likewise below. */
  updateUser(
    id: string,
    change: Partial<Pick<NewUser, 'plan' | 'rateLimitOverride'>>,
  ): Promise<boolean>;
  updateWorkspace(id: string, change: Partial<WorkspaceSettings>): Promise<boolean>;
  addMember(member: Membership): Promise<void>;
  /** Null where there is no such member. */
  roleOf(workspaceId: string, userId: string): Promise<Role | null>;
  updateMember(
    workspaceId: string,
    userId: string,
    change: Partial<Pick<Membership, 'role' | 'postActions'>>,
  ): Promise<boolean>;
  removeMember(workspaceId: string, userId: string): Promise<boolean>;
  addAccount(workspaceId: string, account: Account): Promise<void>;
  /** Removes the workspaces that these users own, with all in them, and the users' keys; in one transaction. */
  removeOwned(emails: readonly string[]): Promise<void>;
}

export function createAdminStore(prisma: PrismaClient, epochs: AccessEpochs): AdminStore {
  const concerned = concernedBy(prisma);
  const ended = async (
    changed: { count: number },
    userIds: () => Promise<readonly string[]>,
  ): Promise<boolean> => {
    if (changed.count > 0) await epochs.end(await userIds());
    return changed.count > 0;
  };

  return {
    async addUser(data) {
      await prisma.user.create({ data });
    },
    async restoreUser({ id, ...user }) {
      const fresh = { picture: null, rateLimitOverride: null, ...user };
      const { id: restored } = await prisma.user.upsert({
        where: { email: user.email },
        create: { id, ...fresh },
        update: fresh,
        select: { id: true },
      });
      await epochs.end(await concerned.byUser(restored));
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
      await epochs.end([ownerId]);
    },
    updateUser: async (id, data) =>
      ended(await prisma.user.updateMany({ where: { id }, data }), () => concerned.byUser(id)),
    updateWorkspace: async (id, data) =>
      ended(await prisma.workspace.updateMany({ where: { id }, data }), () =>
        concerned.byWorkspace(id),
      ),
    async addMember(data) {
      await prisma.membership.create({ data });
      await epochs.end([data.userId]);
    },
    roleOf: async (workspaceId, userId) =>
      (
        await prisma.membership.findUnique({
          where: { workspaceId_userId: { workspaceId, userId } },
          select: { role: true },
        })
      )?.role ?? null,
    updateMember: async (workspaceId, userId, data) =>
      ended(
        await prisma.membership.updateMany({ where: { workspaceId, userId }, data }),
        async () => [userId],
      ),
    removeMember: async (workspaceId, userId) =>
      ended(await prisma.membership.deleteMany({ where: { workspaceId, userId } }), async () => [
        userId,
      ]),
    async addAccount(workspaceId, account) {
      await prisma.account.create({ data: { ...account, workspaceId } });
    },

    async removeOwned(emails) {
      const user = { email: { in: [...emails] } };
      const owned = { memberships: { some: { role: 'owner' as const, user } } };
      const before = await concerned.byOwners(emails);
      await prisma.$transaction([
        prisma.$executeRaw`SET LOCAL statement_timeout = 0`, // an import may have left a great many posts
        prisma.post.deleteMany({ where: { workspace: owned } }), // first: neither accounts nor media go while posts have them
        prisma.workspace.deleteMany({ where: owned }),
        prisma.apiKey.deleteMany({ where: { user } }),
      ]);
      await epochs.end(before);
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
      const holds = {
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
              where: holds,
              data: { expiresAt: until, replacedBy: key.id },
            })
          ).count === 0
        )
          return false;
        await tx.apiKey.create({ data: keyRow(key, hash) });
        return true;
      });
      await epochs.end(isReplaced ? [key.userId] : []);
      return isReplaced;
    },
    async revokeKey(id, at) {
      const key = await prisma.apiKey.findUnique({ where: { id }, select: { userId: true } });
      if (!key) return false;
      await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
      await epochs.end([key.userId]); // of a key revoked before, too: that command may have been cut short here
      return true;
    },
  };
}

const keyRow = ({ scopes, ...key }: Parameters<KeyRecords['addKey']>[0], hash: Uint8Array) => ({
  ...key,
  scopes: [...scopes],
  hash: Buffer.from(hash),
});
