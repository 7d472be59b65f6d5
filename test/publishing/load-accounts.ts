import type { DeliveryGuarantee } from '../../src/domain/networks/network-definition.js';
import type { OpenDatabase } from '../../src/persistence/database.js';
import { recordsIn } from '../fixtures/records.js';
import type { LoadAccount } from './post-record.js';

/** The manners of the sandbox network. */
export const MANNERS: readonly { guarantee: DeliveryGuarantee; lagSeconds: number }[] = [
  { guarantee: 'exact', lagSeconds: 0 },
  { guarantee: 'exact', lagSeconds: 0 },
  { guarantee: 'compared', lagSeconds: 20 },
  // Longer than the pause between two looks: here a post may be there twice.
  { guarantee: 'compared', lagSeconds: 600 },
  { guarantee: 'cannot_tell', lagSeconds: 0 },
];

/** Accounts of each manner of the sandbox network: new ones have their whole daily cap and pace. */
export function newAccounts(database: OpenDatabase, workspaceId: string): Promise<LoadAccount[]> {
  const records = recordsIn(database);
  return Promise.all(
    MANNERS.map(async ({ guarantee, lagSeconds }) => {
      const { id } = await records.anAccount({ workspaceId, network: 'threads', sandbox: true });
      await database.pool.query(
        'INSERT INTO sandbox_account (account_id, guarantee, list_lag_seconds) VALUES ($1, $2::delivery_guarantee, $3)',
        [id, guarantee, lagSeconds],
      );
      return { id, guarantee };
    }),
  );
}
