import type { CredentialStore } from '../../services/networks/network-ports.js';
import { isSealedWith, seal, unseal } from './credential-cipher.js';
import type { CredentialKeys } from './credential-keys.js';
import type { PrismaClient } from '../prisma/client.js';

/** What an operator does with credentials beside storing them. */
export interface CredentialRecords extends CredentialStore {
  /** @throws Error saying what to set, where nothing could be sealed */
  assertReady(): Promise<void>;
  /** False where there were none. */
  forget(accountId: string): Promise<boolean>;
  /**
   * Seals with the first key what another one has sealed, each account by itself; safe beside a running gateway and
   * to repeat. `refused` says of each account that could not be opened why; it stays as it is.
   */
  reseal(): Promise<{ resealed: number; current: number; refused: string[] }>;
}

/** Credentials in PostgreSQL, sealed: what leaves this file is readable only with the keys. */
export function createCredentialStore(
  prisma: PrismaClient,
  keys: CredentialKeys,
): CredentialRecords {
  const stored = prisma.accountCredential;
  return {
    async assertReady() {
      await keys.sealing();
    },
    async open(accountId) {
      const row = await stored.findUnique({ where: { accountId } });
      return row && tried(async () => unseal(await keys.opening(), accountId, row.sealed));
    },
    async seal(accountId, credentials) {
      const sealed = seal(await keys.sealing(), accountId, credentials);
      const row = { sealed: new Uint8Array(sealed) };
      await stored.upsert({ where: { accountId }, create: { accountId, ...row }, update: row });
    },
    forget: async (accountId) => (await stored.deleteMany({ where: { accountId } })).count > 0,

    async reseal() {
      const rows = await stored.findMany({ orderBy: { accountId: 'asc' } });
      const first = await keys.sealing();
      const opening = await keys.opening();
      const old = rows.filter(({ sealed }) => !isSealedWith(first, sealed));
      const refused: string[] = [];
      let resealed = 0;
      for (const { accountId, sealed, updatedAt } of old) {
        const opened = await tried(async () => unseal(opening, accountId, sealed));
        if (opened instanceof Error) {
          refused.push(opened.message);
          continue;
        }
        // Only where it is still what was read: who connected the account meanwhile has stored something newer.
        const { count } = await stored.updateMany({
          where: { accountId, sealed },
          data: { sealed: new Uint8Array(seal(first, accountId, opened)), updatedAt },
        });
        resealed += count;
      }
      return { resealed, current: rows.length - old.length, refused };
    },
  };
}

const tried = <T>(work: () => Promise<T>): Promise<T | Error> =>
  work().catch((error: Error) => error);
