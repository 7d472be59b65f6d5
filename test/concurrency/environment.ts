import { startGateways, type GatewayProcesses } from '../fixtures/gateway-processes.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { createGatewayClient, type GatewayClient } from './gateway-client.js';

/**
 * Two gateways on one database, a workspace, and its members, all of whom may change every post.
 */
export interface TestEnvironment {
  readonly gateways: GatewayProcesses;
  readonly gatewayClient: GatewayClient;
  readonly members: readonly [KeyedViewer, ...KeyedViewer[]];
  close(): Promise<void>;
}

export async function createTestEnvironment(): Promise<TestEnvironment> {
  const gateways = await startGateways(
    { RATE_LIMIT_REQUESTS: '1000000000', DATABASE_POOL_SIZE: '10' },
    2,
  );
  const { records } = gateways;
  const owner = await records.aViewer({ name: 'Olga' });
  const workspaceId = owner.workspace.id;
  const gatewayClient = createGatewayClient(gateways.processes.map(({ url }) => url));
  return {
    gateways,
    gatewayClient,
    members: [
      owner,
      await records.aViewer({ workspaceId, role: 'admin' }),
      await records.aViewer({ workspaceId, postActions: true }),
      await records.aViewer({ workspaceId, postActions: true }),
    ],
    async close() {
      await gatewayClient.close();
      await gateways.close();
    },
  };
}

/** Runs that many clients concurrently, each of which takes its steps one after another. */
export async function runClients(
  clients: number,
  steps: number,
  step: (client: number, index: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_none, client) => {
      for (let index = 0; index < steps; index += 1) await step(client, index);
    }),
  );
}

/** A random item. */
export const randomOf = <T>(list: readonly T[]): T =>
  list[Math.floor(Math.random() * list.length)]!;
