import type { Scope } from '../domain/scopes.js';
import type { Account } from '../domain/post.js';
import type { Workspace } from '../domain/viewer.js';
import type { Plan, Role } from '../domain/vocabulary.js';
import type { KeyRecords } from '../services/ports.js';
import type { PrismaClient } from './prisma/client.js';

export interface NewUser { id: string; name: string; email: string; plan: Plan; picture?: string | null; rateLimitOverride?: number | null }
export interface Membership { workspaceId: string; userId: string; role: Role; postActions?: boolean }

/** What an operator makes; the gateway itself only reads it. */
export interface AdminStore extends KeyRecords {
  addUser(user: NewUser): Promise<void>;
  /** A workspace and its owner's membership, together. */
  addWorkspace(workspace: Omit<Workspace, 'plan'>, ownerId: string): Promise<void>;
  addMember(member: Membership): Promise<void>;
  addAccount(workspaceId: string, account: Account): Promise<void>;
}

export function createAdminStore(prisma: PrismaClient): AdminStore {
  return {
    async addUser(data) { await prisma.user.create({ data }); },
    async addWorkspace(data, ownerId) { await prisma.workspace.create({ data: { ...data, memberships: { create: { userId: ownerId, role: 'owner' } } } }); },
    async addMember(data) { await prisma.membership.create({ data }); },
    async addAccount(workspaceId, account) { await prisma.account.create({ data: { ...account, workspaceId } }); },

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
