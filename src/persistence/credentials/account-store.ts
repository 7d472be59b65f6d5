import type { Credentials } from '../../domain/networks/network-definition.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import { seal, type CredentialKeys } from './credential-keys.js';
import { writeAccountConnected } from '../events/account-events.js';
import type { Database } from '../database.js';

/** An account, for operators. */
export interface AccountRecord extends Account {
  workspaceId: string;
  /** When its credentials were stored; null if it has none. */
  connectedAt: Date | null;
}

const RECORD = {
  id: true,
  workspaceId: true,
  type: true,
  name: true,
  picture: true,
  network: true,
  socialId: true,
  needsReauth: true,
  sandbox: true,
  credential: { select: { updatedAt: true } },
} as const;
type Row = Omit<AccountRecord, 'connectedAt'> & { credential: { updatedAt: Date } | null };

/** Accounts for operator commands. The gateway reads them through the workspace record store. */
export const createAccountStore = ({ prisma }: Database, keys: CredentialKeys) => ({
  /** Accounts of one workspace or of all, oldest first. */
  async accounts(workspaceId?: string): Promise<AccountRecord[]> {
    const rows = await prisma.account.findMany({
      where: workspaceId === undefined ? {} : { workspaceId },
      select: RECORD,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(toRecord);
  },
  /** Finds an account by its ID, or by the network's ID of it; null if there is none. */
  async find(
    by: { id: string } | { workspaceId: string; network: Network; socialId: string },
  ): Promise<AccountRecord | null> {
    const row = await prisma.account.findUnique({
      where: 'id' in by ? by : { workspaceId_network_socialId: by },
      select: RECORD,
    });
    return row && toRecord(row);
  },
  /**
   * Inserts or updates the account and stores its credentials, in one transaction. It needs no
   * reauthorization afterwards.
   */
  async connect(workspaceId: string, account: Account, credentials: Credentials): Promise<void> {
    const credential = {
      sealed: new Uint8Array(seal(await keys.sealingKey(), account.id, credentials)),
    };
    await prisma.$transaction([
      prisma.account.upsert({
        where: { id: account.id },
        create: { ...account, workspaceId, credential: { create: credential } },
        update: {
          name: account.name,
          socialId: account.socialId,
          picture: account.picture,
          needsReauth: false,
          credential: { upsert: { create: credential, update: credential } },
        },
        select: { id: true },
      }),
      writeAccountConnected(prisma, account.id),
    ]);
  },
});
export type AccountStore = ReturnType<typeof createAccountStore>;

const toRecord = ({ credential, ...account }: Row): AccountRecord => ({
  ...account,
  connectedAt: credential?.updatedAt ?? null,
});
