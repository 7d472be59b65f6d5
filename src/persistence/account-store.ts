import type { AccountRecord, AccountRecords } from '../services/account-records.js';
import type { PrismaClient } from './prisma/client.js';

const RECORD = {
  id: true, workspaceId: true, type: true, name: true, picture: true, network: true, socialId: true, needsReauth: true, sandbox: true, credential: { select: { updatedAt: true } },
} as const;
type Row = Omit<AccountRecord, 'connectedAt'> & { credential: { updatedAt: Date } | null };

/** Accounts for the operator's commands; the gateway reads them through the directory. */
export const createAccountStore = (prisma: PrismaClient): AccountRecords => ({
  async accounts(workspaceId) {
    const rows = await prisma.account.findMany({ where: workspaceId === undefined ? {} : { workspaceId }, select: RECORD, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
    return rows.map(toRecord);
  },
  async find(id) {
    const row = await prisma.account.findUnique({ where: { id }, select: RECORD });
    return row && toRecord(row);
  },
});

const toRecord = ({ credential, ...account }: Row): AccountRecord => ({ ...account, connectedAt: credential?.updatedAt ?? null });
