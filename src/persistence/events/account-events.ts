import { OPERATOR } from '../../domain/access/viewer.js';
import type { Prisma, PrismaClient } from '../prisma/client.js';
import { Parameters } from '../sql.js';
import { ACCOUNT_COLUMNS, insertRecordEvents } from './insert-events.js';

/**
 * Writes the event of an account that an operator added or connected. To be run after the account
 * is written, in the same transaction.
 */
export function writeAccountConnected(
  prisma: Pick<PrismaClient, '$executeRawUnsafe'>,
  accountId: string,
): Prisma.PrismaPromise<number> {
  const parameters = new Parameters(accountId);
  const events = insertRecordEvents(
    { type: 'account.connected', rows: 'connected', actor: OPERATOR },
    parameters,
  );
  return prisma.$executeRawUnsafe(
    `WITH connected AS (SELECT ${ACCOUNT_COLUMNS} FROM account WHERE id = $1) ${events}`,
    ...parameters.values,
  );
}
