import type { CredentialAdmin } from '../../services/admin/admin-ports.js';
import { isSealedWith, seal, unseal } from './credential-cipher.js';
import type { CredentialKeys } from './credential-keys.js';
import type { Database } from '../database.js';
import { sealedCredentials, sealedWebhookSecrets } from './sealed-values.js';

/** Stores credentials sealed: without the keys, the database content is unreadable. */
export function createCredentialStore({ prisma }: Database, keys: CredentialKeys): CredentialAdmin {
  const table = prisma.accountCredential;
  return {
    async assertReady() {
      await keys.sealingKey();
    },
    async open(accountId) {
      const row = await table.findUnique({ where: { accountId } });
      return (
        row && resultOrError(async () => unseal(await keys.unsealingKeys(), accountId, row.sealed))
      );
    },
    async seal(accountId, credentials) {
      const sealed = seal(await keys.sealingKey(), accountId, credentials);
      const row = { sealed: new Uint8Array(sealed) };
      await table.upsert({ where: { accountId }, create: { accountId, ...row }, update: row });
    },
    delete: async (accountId) => (await table.deleteMany({ where: { accountId } })).count > 0,

    async reseal() {
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

const resultOrError = <T>(work: () => Promise<T>): Promise<T | Error> =>
  work().catch((error: Error) => error);
