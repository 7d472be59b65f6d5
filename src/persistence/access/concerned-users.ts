import type { PrismaClient } from '../prisma/client.js';

/**
 * Whose grants a change concerns. Asked after the change was committed: whoever becomes a member later reads what is new.
 */
export function concernedBy(prisma: PrismaClient) {
  const membersOf = async (workspace: object): Promise<string[]> =>
    (
      await prisma.membership.findMany({
        where: { workspace },
        select: { userId: true },
        distinct: ['userId'],
      })
    ).map(({ userId }) => userId);

  return {
    /** The user, and everybody in their workspaces: those have their plan (D34). */
    byUser: async (id: string): Promise<string[]> => [
      id,
      ...(await membersOf({ memberships: { some: { role: 'owner', userId: id } } })),
    ],
    byWorkspace: (id: string): Promise<string[]> => membersOf({ id }),
    /** Users by address, and everybody in the workspaces they own. */
    async byOwners(emails: readonly string[]): Promise<string[]> {
      const user = { email: { in: [...emails] } };
      const owners = await prisma.user.findMany({ where: user, select: { id: true } });
      return [
        ...owners.map(({ id }) => id),
        ...(await membersOf({ memberships: { some: { role: 'owner', user } } })),
      ];
    },
  };
}
