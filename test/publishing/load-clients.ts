import { createGatewayClient, type GatewayClient } from '../faults/gateway-client.js';
import { recordsIn, type KeyedViewer } from '../fixtures/records.js';
import type { OpenDatabase } from '../../src/persistence/database.js';
import { CLOCK_AHEAD_SECONDS } from './load.js';

/** The two users of the load, in a workspace whose members need approval. */
export interface LoadUsers {
  readonly viewer: KeyedViewer;
  /** Requests of the owner, who approves, and of a member whose posts need approval. */
  readonly owner: GatewayClient;
  readonly member: GatewayClient;
}

/** Creates the workspace of the load. Its sandbox network has a clock that is ahead. */
export async function createLoadUsers(
  database: OpenDatabase,
  urls: readonly string[],
): Promise<LoadUsers> {
  const records = recordsIn(database);
  const { id: workspaceId, ownerId: userId } = await records.aWorkspace({ requiresApproval: true });
  const viewer = await records.aViewer({ workspaceId, role: 'owner', userId });
  const member = await records.aViewer({ workspaceId, postActions: true });
  await database.pool.query('UPDATE app_user SET rate_limit_override = 1000000000');
  await database.pool.query(
    'INSERT INTO sandbox_clock (workspace_id, ahead_seconds) VALUES ($1, $2)',
    [workspaceId, CLOCK_AHEAD_SECONDS],
  );
  return {
    viewer,
    owner: createGatewayClient(urls, viewer),
    member: createGatewayClient(urls, member),
  };
}
