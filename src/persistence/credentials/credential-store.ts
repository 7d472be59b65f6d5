import type { Credentials } from '../../domain/networks/network-definition.js';
import { isSealedWith, seal, unseal, type CredentialKeys } from './credential-keys.js';
import type { Database } from '../database.js';
import type { PrismaClient } from '../prisma/client.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** A sealed value of the database, and the record that it belongs to. */
interface SealedValue {
  readonly ownerId: string;
  readonly sealed: Bytes;
  /**
   * Replaces the value, unless it has changed: a newer value is sealed already. Returns the number
   * of values replaced.
   */
  replace(sealed: Bytes): Promise<number>;
}

/** The credentials of all accounts. */
async function sealedCredentials(prisma: PrismaClient): Promise<SealedValue[]> {
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
async function sealedWebhookSecrets(prisma: PrismaClient): Promise<SealedValue[]> {
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

/** Stores credentials sealed: without the keys, the database content is unreadable. */
export function createCredentialStore({ prisma }: Database, keys: CredentialKeys) {
  const table = prisma.accountCredential;
  return {
    /** @throws Error that names the setting to set, if no key can seal credentials */
    async assertReady(): Promise<void> {
      await keys.sealingKey();
    },
    /**
     * Null if the account was never connected; an Error with advice for the operator if the
     * configured keys cannot unseal its credentials.
     */
    async open(accountId: string): Promise<Credentials | Error | null> {
      const row = await table.findUnique({ where: { accountId } });
      return (
        row && resultOrError(async () => unseal(await keys.unsealingKeys(), accountId, row.sealed))
      );
    },
    async seal(accountId: string, credentials: Credentials): Promise<void> {
      const sealed = seal(await keys.sealingKey(), accountId, credentials);
      const row = { sealed: new Uint8Array(sealed) };
      await table.upsert({ where: { accountId }, create: { accountId, ...row }, update: row });
    },
    /** Returns false if there were none. */
    delete: async (accountId: string): Promise<boolean> =>
      (await table.deleteMany({ where: { accountId } })).count > 0,

    /**
     * Reseals with the first key the credentials that another key sealed, each account separately.
     * Safe while a gateway is running, and safe to repeat. `failed` has the reason for each account
     * that could not be unsealed; it stays unchanged.
     */
    async reseal(): Promise<{ resealed: number; upToDate: number; failed: string[] }> {
      const values = [
        ...(await sealedCredentials(prisma)),
        ...(await sealedWebhookSecrets(prisma)),
      ];
      const first = await keys.sealingKey();
      const unsealingKeys = await keys.unsealingKeys();
      const outdated = values.filter(({ sealed }) => !isSealedWith(first, sealed));
      const failed: string[] = [];
      let resealed = 0;
      for (const { ownerId, sealed, replace } of outdated) {
        const unsealed = await resultOrError(async () => unseal(unsealingKeys, ownerId, sealed));
        if (unsealed instanceof Error) failed.push(unsealed.message);
        else resealed += await replace(new Uint8Array(seal(first, ownerId, unsealed)));
      }
      return { resealed, upToDate: values.length - outdated.length, failed };
    },
  };
}
export type CredentialStore = ReturnType<typeof createCredentialStore>;

const resultOrError = <T>(work: () => Promise<T>): Promise<T | Error> =>
  work().catch((error: Error) => error);
