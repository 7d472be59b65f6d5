import type { Credentials } from '../../domain/networks/network-definition.js';
import { isSealedWith, seal, unseal, type CredentialKeys } from './credential-keys.js';
import type { Database } from '../database.js';

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
async function sealedCredentials({ prisma, changeRecords }: Database): Promise<SealedValue[]> {
  const rows = await prisma.accountCredential.findMany({ orderBy: { accountId: 'asc' } });
  return rows.map(({ accountId, sealed, updatedAt }) => ({
    ownerId: accountId,
    sealed,
    async replace(resealed) {
      const data = { sealed: resealed, updatedAt };
      const { count } = await changeRecords(({ accountCredential }) =>
        accountCredential.updateMany({ where: { accountId, sealed }, data }),
      );
      return count;
    },
  }));
}

/** The secrets of all webhooks, those before the last rotation included. */
async function sealedWebhookSecrets({ prisma, changeRecords }: Database): Promise<SealedValue[]> {
  const rows = await prisma.webhook.findMany({
    select: { id: true, sealedSecret: true, previousSecret: true },
    orderBy: { id: 'asc' },
  });
  const replaceIn =
    (column: 'sealedSecret' | 'previousSecret', id: string, sealed: Bytes) =>
    async (resealed: Bytes): Promise<number> => {
      const data = { [column]: resealed };
      const { count } = await changeRecords(({ webhook }) =>
        webhook.updateMany({ where: { id, [column]: sealed }, data }),
      );
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

/** The secrets with which the gateway is known to servers. */
async function sealedServerClients({ prisma, changeRecords }: Database): Promise<SealedValue[]> {
  const rows = await prisma.serverClient.findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ id, sealed }) => ({
    ownerId: id,
    sealed,
    async replace(resealed) {
      const { count } = await changeRecords(({ serverClient }) =>
        serverClient.updateMany({ where: { id, sealed }, data: { sealed: resealed } }),
      );
      return count;
    },
  }));
}

/** Stores credentials sealed: without the keys, the database content is unreadable. */
export function createCredentialStore(database: Database, keys: CredentialKeys) {
  const { prisma, changeRecords } = database;
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
      const row = await prisma.accountCredential.findUnique({ where: { accountId } });
      return (
        row && resultOrError(async () => unseal(await keys.unsealingKeys(), accountId, row.sealed))
      );
    },
    async seal(accountId: string, credentials: Credentials): Promise<void> {
      const sealed = seal(await keys.sealingKey(), accountId, credentials);
      const row = { sealed: new Uint8Array(sealed) };
      await changeRecords(({ accountCredential }) =>
        accountCredential.upsert({
          where: { accountId },
          create: { accountId, ...row },
          update: row,
        }),
      );
    },
    /** Returns false if there were none. */
    async delete(accountId: string): Promise<boolean> {
      const { count } = await changeRecords(({ accountCredential }) =>
        accountCredential.deleteMany({ where: { accountId } }),
      );
      return count > 0;
    },

    /**
     * Reseals with the first key the credentials that another key sealed, each account separately.
     * Safe while a gateway is running, and safe to repeat. `failed` has the reason for each account
     * that could not be unsealed; it stays unchanged.
     */
    async reseal(): Promise<{ resealed: number; upToDate: number; failed: string[] }> {
      const values = [
        ...(await sealedCredentials(database)),
        ...(await sealedWebhookSecrets(database)),
        ...(await sealedServerClients(database)),
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
