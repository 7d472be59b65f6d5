import type { Prisma, PrismaClient } from '../prisma/client.js';

/**
 * Finds the users whose grants a change affects. Call it after the change is committed: users who
 * become members later read the new state.
 */
export function createAffectedUsers(prisma: PrismaClient) {
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
