import type { GrantsVersions } from '../../domain/access/cached-grants-lifetime.js';
import type { Scope, ApiKey, Workspace } from '../../domain/access/viewer.js';
import { OPERATOR } from '../../domain/access/viewer.js';
import type { Plan, Role } from '../../domain/enums.js';
import type { Account } from '../../domain/posts/post.js';
import type { Database } from '../database.js';
import { STATE_FILTERS, storedStateNumbers } from '../../domain/posts/states.js';
import { writeAccountConnected } from '../events/account-events.js';
import { announceEvents, insertPostEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';
import type { Prisma } from '../prisma/client.js';

/** A user to create. */
export interface NewUser {
  id: string;
  name: string;
  email: string;
  plan: Plan;
  picture?: string | null;
  rateLimitOverride?: number | null;
}
/** The membership of a user in a workspace. */
interface NewMembership {
  workspaceId: string;
  userId: string;
  role: Role;
  postActions?: boolean;
}
/** The settings of a workspace that operators can change. */
type WorkspaceSettings = Pick<Workspace, 'name' | 'timeZone' | 'requiresApproval' | 'locked'>;

/** A stored key, without its value. */
export interface KeyRecord extends ApiKey {
  userId: string;
  revokedAt: Date | null;
  /** The ID of the key that replaced this one. */
  replacedBy: string | null;
}
type NewKeyRecord = Omit<KeyRecord, 'revokedAt' | 'replacedBy'>;

/** A user, for operators. */
interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly plan: Plan;
  readonly rateLimitOverride: number | null;
  readonly createdAt: Date;
}
/**
 * A workspace, for operators; its plan is its owner's (D34). `owner` is null only after a manual
 * change of the database.
 */
interface WorkspaceRecord extends Omit<Workspace, 'picture' | 'plan'> {
  readonly owner: { readonly id: string; readonly name: string; readonly plan: Plan } | null;
  readonly members: number;
  readonly createdAt: Date;
}
const PRIVATE_DRAFTS = storedStateNumbers(STATE_FILTERS.draft_private.storedStates).join(', ');

/**
 * Gives the private drafts of a user to the owner of a workspace, also those that were deleted and
 * can be restored. Returns how many of them the owner sees. SQL: many rows with their events.
 */
async function handOverDrafts(sql: Sql, workspaceId: string, userId: string): Promise<number> {
  const parameters = new Parameters(workspaceId, userId);
  const events = insertPostEvents(
    { type: 'post.updated', rows: 'visible', actor: OPERATOR, changed: ['user'] },
    parameters,
  );
  const handedOver = await sql(
    "WITH handed_over AS (UPDATE post p SET creator_id = o.user_id FROM membership o WHERE o.workspace_id = p.workspace_id AND o.role = 'owner' " +
      `AND p.workspace_id = $1 AND p.creator_id = $2 AND p.stored_state IN (${PRIVATE_DRAFTS}) RETURNING p.*), ` +
      `visible AS (SELECT * FROM handed_over WHERE deleted_at IS NULL) ${events} RETURNING post_id`,
    parameters.values,
  );
  return handedOver.length;
}

/** A member of a workspace, for operators. */
interface MemberRecord {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly postActions: boolean;
}

/**
 * Finds the users whose grants a change affects. Call it after the change is committed: users who
 * become members later read the new state.
 */
function createAffectedUsers({ prisma }: Database) {
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
 * Lists records for operator commands, oldest first, with explicitly named columns only. The
 * gateway reads them through the workspace record store.
 */
export const createAdminLists = ({ prisma }: Database) => ({
  users: (): Promise<UserRecord[]> =>
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
  async workspaces(): Promise<WorkspaceRecord[]> {
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
  /** Ordered by role. */
  async members(workspaceId: string): Promise<MemberRecord[]> {
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
export type AdminLists = ReturnType<typeof createAdminLists>;

/**
 * Writes the records that only operators change; the gateway reads them. A change that affects the
 * grants of keys renews the grants versions of their users before the method returns (D33).
 */
export function createAdminStore(database: Database, grantsVersions: GrantsVersions) {
  const { prisma, changeRecords } = database;
  const affectedUsers = createAffectedUsers(database);
  const renewIfChanged = async (
    changed: { count: number },
    userIds: () => Promise<readonly string[]>,
  ): Promise<boolean> => {
    if (changed.count > 0) await grantsVersions.renew(await userIds());
    return changed.count > 0;
  };

  return {
    async addUser(data: NewUser): Promise<void> {
      await changeRecords(({ user }) => user.create({ data }));
    },
    /**
     * Creates a user, or overwrites the one with the same email address. Returns the ID, which an
     * existing user keeps.
     */
    async restoreUser({ id, ...user }: NewUser): Promise<string> {
      const values = { picture: null, rateLimitOverride: null, ...user };
      const { id: restored } = await changeRecords((records) =>
        records.user.upsert({
          where: { email: user.email },
          create: { id, ...values },
          update: values,
          select: { id: true },
        }),
      );
      await grantsVersions.renew(await affectedUsers.byUser(restored));
      return restored;
    },
    /** Finds a user by ID or, case-insensitively, by email address; null if there is none. */
    findUser: (idOrEmail: string): Promise<{ id: string; name: string } | null> =>
      prisma.user.findFirst({
        where: { OR: [{ id: idOrEmail }, { email: { equals: idOrEmail, mode: 'insensitive' } }] },
        select: { id: true, name: true },
      }),
    hasWorkspace: async (id: string): Promise<boolean> =>
      (await prisma.workspace.count({ where: { id } })) > 0,
    /** Adds a workspace and the membership of its owner. */
    async addWorkspace(data: Omit<Workspace, 'plan' | 'locked'>, ownerId: string): Promise<void> {
      const memberships = { create: { userId: ownerId, role: 'owner' } } as const;
      await changeRecords(({ workspace }) => workspace.create({ data: { ...data, memberships } }));
      await grantsVersions.renew([ownerId]);
    },
    /** Returns false if there is no such user. */
    updateUser: async (
      id: string,
      data: Partial<Pick<NewUser, 'plan' | 'rateLimitOverride'>>,
    ): Promise<boolean> =>
      renewIfChanged(
        await changeRecords(({ user }) => user.updateMany({ where: { id }, data })),
        () => affectedUsers.byUser(id),
      ),
    /** Returns false if there is no such workspace. */
    updateWorkspace: async (id: string, data: Partial<WorkspaceSettings>): Promise<boolean> =>
      renewIfChanged(
        await changeRecords(({ workspace }) => workspace.updateMany({ where: { id }, data })),
        () => affectedUsers.byWorkspace(id),
      ),
    async addMember(data: NewMembership): Promise<void> {
      await changeRecords(({ membership }) => membership.create({ data }));
      await grantsVersions.renew([data.userId]);
    },
    /** Null if the user is not a member. */
    roleOf: async (workspaceId: string, userId: string): Promise<Role | null> =>
      (
        await prisma.membership.findUnique({
          where: { workspaceId_userId: { workspaceId, userId } },
          select: { role: true },
        })
      )?.role ?? null,
    /** Returns false if the user is not a member. */
    updateMember: async (
      workspaceId: string,
      userId: string,
      data: Partial<Pick<NewMembership, 'role' | 'postActions'>>,
    ): Promise<boolean> =>
      renewIfChanged(
        await changeRecords(({ membership }) =>
          membership.updateMany({ where: { workspaceId, userId }, data }),
        ),
        async () => [userId],
      ),
    /**
     * Ends a membership. The owner of the workspace becomes the creator of the member's private
     * drafts, which no user could see any more (D13). Returns their number; null if the user is not a
     * member.
     */
    async removeMember(workspaceId: string, userId: string): Promise<number | null> {
      const drafts = await database.transaction(async (sql) => {
        const removed = await sql(
          'DELETE FROM membership WHERE workspace_id = $1 AND user_id = $2 RETURNING user_id',
          [workspaceId, userId],
        );
        return removed.length === 0 ? null : handOverDrafts(sql, workspaceId, userId);
      });
      if (drafts === null) return null;
      await grantsVersions.renew([userId]);
      announceEvents(database, workspaceId);
      return drafts;
    },
    async addAccount(workspaceId: string, account: Account): Promise<void> {
      await changeRecords((records) =>
        records.$transaction([
          records.account.create({ data: { ...account, workspaceId } }),
          writeAccountConnected(records, account.id),
        ]),
      );
    },

    /** Deletes these workspaces with their content, and these keys (by hash), in one transaction. */
    async deleteWorkspacesAndKeys(
      workspaceIds: readonly string[],
      keyHashes: readonly Uint8Array[],
    ): Promise<void> {
      const workspaces = { id: { in: [...workspaceIds] } };
      const keys = { hash: { in: keyHashes.map((hash) => Uint8Array.from(hash)) } };
      const userIds = await affectedUsers.byWorkspacesAndKeys(workspaces, keys);
      await changeRecords((records) =>
        records.$transaction([
          // an import may have created a large number of posts
          records.$executeRaw`SET LOCAL statement_timeout = 0`,
          // first: posts restrict the deletion of accounts and media
          records.post.deleteMany({ where: { workspace: workspaces } }),
          records.event.deleteMany({ where: { workspaceId: workspaces.id } }),
          records.workspace.deleteMany({ where: workspaces }),
          records.apiKey.deleteMany({ where: keys }),
        ]),
      );
      await grantsVersions.renew(userIds);
    },

    async addKey(key: NewKeyRecord, hash: Uint8Array): Promise<void> {
      await changeRecords(({ apiKey }) => apiKey.create({ data: keyRow(key, hash) }));
    },
    async keys(userId?: string): Promise<KeyRecord[]> {
      const rows = await prisma.apiKey.findMany({
        where: userId === undefined ? {} : { userId },
        omit: { hash: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map((row) => ({ ...row, scopes: row.scopes as Scope[] }));
    },
    /**
     * Adds a key that replaces another key of the same user, which expires at `until` or earlier.
     * False if the old key is not valid any more or was already replaced.
     */
    async replaceKey(
      id: string,
      by: { readonly key: NewKeyRecord; readonly hash: Uint8Array; readonly until: Date },
    ): Promise<boolean> {
      const { key, hash, until } = by;
      const now = key.createdAt;
      const isReplaceable = {
        id,
        userId: key.userId,
        revokedAt: null,
        replacedBy: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: now, gte: until } }],
      };
      const isReplaced = await changeRecords((records) =>
        records.$transaction(async ({ apiKey }) => {
          const data = { expiresAt: until, replacedBy: key.id };
          const { count } = await apiKey.updateMany({ where: isReplaceable, data });
          if (count === 0) return false;
          await apiKey.create({ data: keyRow(key, hash) });
          return true;
        }),
      );
      await grantsVersions.renew(isReplaced ? [key.userId] : []);
      return isReplaced;
    },
    /** False if the key does not exist. */
    async revokeKey(id: string, at: Date): Promise<boolean> {
      const key = await prisma.apiKey.findUnique({ where: { id }, select: { userId: true } });
      if (!key) return false;
      await changeRecords(({ apiKey }) =>
        apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } }),
      );
      // also for a key that was already revoked: the command that revoked it may have been
      // interrupted here
      await grantsVersions.renew([key.userId]);
      return true;
    },
  };
}
export type AdminStore = ReturnType<typeof createAdminStore>;

const keyRow = ({ scopes, ...key }: NewKeyRecord, hash: Uint8Array) => ({
  ...key,
  scopes: [...scopes],
  hash: Buffer.from(hash),
});
