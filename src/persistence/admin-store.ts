import type { Scope } from '../domain/scopes.js';
import type { Account } from '../domain/post.js';
import type { Workspace } from '../domain/viewer.js';
import type { Plan, Role } from '../domain/vocabulary.js';
import type { KeyRecords } from '../services/ports.js';
import type { PrismaClient } from './prisma/client.js';

export interface NewUser { id: string; name: string; email: string; plan: Plan; picture?: string | null; rateLimitOverride?: number | null }
interface Membership { workspaceId: string; userId: string; role: Role; postActions?: boolean }

/** What an operator makes; the gateway itself only reads it. */
export interface AdminStore extends KeyRecords {
  addUser(user: NewUser): Promise<void>;
  /** Puts a user back as given, found by the address; gives the id it has had since it was first made. */
  restoreUser(user: NewUser): Promise<string>;
  /** By id or by address, ignoring its case; null where there is none. */
  findUser(idOrEmail: string): Promise<{ id: string; name: string } | null>;
  hasWorkspace(id: string): Promise<boolean>;
  /** A workspace and its owner's membership, together. */
  addWorkspace(workspace: Omit<Workspace, 'plan'>, ownerId: string): Promise<void>;
  addMember(member: Membership): Promise<void>;
  addAccount(workspaceId: string, account: Account): Promise<void>;
  /** Removes the workspaces that these users own, with all in them, and the users' keys; in one transaction. */
  removeOwned(emails: readonly string[]): Promise<void>;
}

export function createAdminStore(prisma: PrismaClient): AdminStore {
  return {
    async addUser(data) { await prisma.user.create({ data }); },
    async restoreUser({ id, ...user }) {
      const fresh = { picture: null, rateLimitOverride: null, ...user };
      return (await prisma.user.upsert({ where: { email: user.email }, create: { id, ...fresh }, update: fresh, select: { id: true } })).id;
    },
    findUser: (idOrEmail) => prisma.user.findFirst({
      where: { OR: [{ id: idOrEmail }, { email: { equals: idOrEmail, mode: 'insensitive' } }] }, select: { id: true, name: true },
    }),
    hasWorkspace: async (id) => (await prisma.workspace.count({ where: { id } })) > 0,
    async addWorkspace(data, ownerId) { await prisma.workspace.create({ data: { ...data, memberships: { create: { userId: ownerId, role: 'owner' } } } }); },
    async addMember(data) { await prisma.membership.create({ data }); },
    async addAccount(workspaceId, account) { await prisma.account.create({ data: { ...account, workspaceId } }); },

    async removeOwned(emails) {
      const user = { email: { in: [...emails] } };
      const owned = { memberships: { some: { role: 'owner' as const, user } } };
      await prisma.$transaction([
        prisma.$executeRaw`SET LOCAL statement_timeout = 0`, // an import may have left a great many posts
        prisma.post.deleteMany({ where: { workspace: owned } }), // first: neither accounts nor media go while posts have them
        prisma.workspace.deleteMany({ where: owned }),
        prisma.apiKey.deleteMany({ where: { user } }),
      ]);
    },

    async addKey({ scopes, ...key }, hash) { await prisma.apiKey.create({ data: { ...key, scopes: [...scopes], hash: Buffer.from(hash) } }); },
    async keys(userId) {
      const rows = await prisma.apiKey.findMany({ where: userId === undefined ? {} : { userId }, omit: { hash: true }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
      return rows.map((row) => ({ ...row, scopes: row.scopes as Scope[] }));
    },
    async revokeKey(id, at) {
      const { count } = await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
      return count > 0 || (await prisma.apiKey.count({ where: { id } })) > 0;
    },
  };
}
