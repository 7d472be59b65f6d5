import type { AccountLoad } from '../../domain/connections/connection-care.js';
import type { Database } from '../database.js';
import { forScrapes } from '../single-flight.js';

const LOAD = `
SELECT (count(*) FILTER (WHERE NOT a.needs_reauth))::int AS connected, (count(*) FILTER (WHERE a.needs_reauth))::int AS "needsReauthorization",
       COALESCE(GREATEST(0, EXTRACT(epoch FROM now() - min(s.renew_at) FILTER (WHERE NOT a.needs_reauth))), 0)::float8 AS "oldestRenewalSeconds"
  FROM account_credential c JOIN account a ON a.id = c.account_id LEFT JOIN account_connection s ON s.account_id = c.account_id
 WHERE NOT a.sandbox`;

/** How many accounts are connected; null if the database does not respond in time. */
export const createAccountLoad = (database: Database): (() => Promise<AccountLoad | null>) =>
  forScrapes(async () => (await database.scan<AccountLoad>(LOAD))[0]!);
