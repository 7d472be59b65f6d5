import type { PrismaClient } from '../prisma/client.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** A sealed value of the database, and the record that it belongs to. */
export interface SealedValue {
  readonly ownerId: string;
  readonly sealed: Bytes;
  /**
   * Replaces the value, unless it has changed: a newer value is sealed already. Returns the number
   * of values replaced.
   */
  replace(sealed: Bytes): Promise<number>;
}

/** The credentials of all accounts. */
export async function sealedCredentials(prisma: PrismaClient): Promise<SealedValue[]> {
  const rows = await prisma.accountCredential.findMany({ orderBy: { accountId: 'asc' } });
  return rows.map(({ accountId, sealed, updatedAt }) => ({
    ownerId: accountId,
    sealed,
    async replace(resealed) {
      const { count } = await prisma.accountCredential.updateMany({
        where: { accountId, sealed },
        data: { sealed: resealed, updatedAt },
      });
      return count;
    },
  }));
}

/** The secrets of all webhooks, those before the last rotation included. */
export async function sealedWebhookSecrets(prisma: PrismaClient): Promise<SealedValue[]> {
  const rows = await prisma.webhook.findMany({
    select: { id: true, sealedSecret: true, previousSecret: true },
    orderBy: { id: 'asc' },
  });
  const replaceIn =
    (column: 'sealedSecret' | 'previousSecret', id: string, sealed: Bytes) =>
    async (resealed: Bytes): Promise<number> => {
      const { count } = await prisma.webhook.updateMany({
        where: { id, [column]: sealed },
        data: { [column]: resealed },
      });
      return count;
    };
  return rows.flatMap(({ id, sealedSecret, previousSecret }) => [
    { ownerId: id, sealed: sealedSecret, replace: replaceIn('sealedSecret', id, sealedSecret) },
    ...(previousSecret
      ? [
          {
            ownerId: id,
            sealed: previousSecret,
            replace: replaceIn('previousSecret', id, previousSecret),
          },
        ]
      : []),
  ]);
}
