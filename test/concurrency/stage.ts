import { gatewaysOn, type Gateways } from '../fixtures/gateways.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { createAsker, type Asker } from './asking.js';

/** Two gateways on one database, a workspace, and its members who may all change every post. */
export interface Stage {
  readonly gateways: Gateways;
  readonly asker: Asker;
  readonly members: readonly [KeyedViewer, ...KeyedViewer[]];
  close(): Promise<void>;
}

export async function aStage(): Promise<Stage> {
  const gateways = await gatewaysOn(
    { RATE_LIMIT_REQUESTS: '1000000000', DATABASE_POOL_SIZE: '10' },
    2,
  );
  const { records } = gateways;
  const owner = await records.aViewer({ name: 'Olga' });
  const workspaceId = owner.workspace.id;
  const asker = createAsker(gateways.processes.map(({ url }) => url));
  return {
    gateways,
    asker,
    members: [
      owner,
      await records.aViewer({ workspaceId, role: 'admin' }),
      await records.aViewer({ workspaceId, postActions: true }),
      await records.aViewer({ workspaceId, postActions: true }),
    ],
    async close() {
      await asker.close();
      await gateways.close();
    },
  };
}

/** Runs so many clients at once, each its steps one after another. */
export async function inParallel(
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

/** One of these by chance. */
export const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
