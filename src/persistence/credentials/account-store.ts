import type { AccountRecord, AccountAdmin } from '../../services/accounts/account-ports.js';
import { seal, type CredentialKeys } from './credential-keys.js';
import { writeAccountConnected } from '../events/account-events.js';
import type { Database } from '../database.js';

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
export const createAccountStore = ({ prisma }: Database, keys: CredentialKeys): AccountAdmin => ({
  async accounts(workspaceId) {
    const rows = await prisma.account.findMany({
      where: workspaceId === undefined ? {} : { workspaceId },
      select: RECORD,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(toRecord);
  },
  async find(by) {
    const row = await prisma.account.findUnique({
      where: 'id' in by ? by : { workspaceId_network_socialId: by },
      select: RECORD,
    });
    return row && toRecord(row);
  },
  async connect(workspaceId, account, credentials) {
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

const toRecord = ({ credential, ...account }: Row): AccountRecord => ({
  ...account,
  connectedAt: credential?.updatedAt ?? null,
});
