import type { Deployment, ServiceProcess } from '../faults/deployment.js';
import { FAULT_KINDS, type FaultKind } from '../faults/fault-kinds.js';

/** Kills several processes at the same time, and starts them again. */
const killEach = (
  name: string,
  processesOf: (deployment: Deployment) => readonly ServiceProcess[],
): FaultKind => ({
  name,
  durationMs: [0, 300],
  tolerates: [],
  begin: async (target) => {
    await Promise.all(processesOf(target).map((one) => one.kill()));
  },
  // One after another: on a busy machine, each start takes long enough.
  end: async (target) => {
    for (const one of processesOf(target)) await one.start();
  },
});
/** Whether all attempts lose their process or their database, so that some are interrupted. */
export const affectsEachAttempt = ({ name }: FaultKind): boolean =>
  name.includes('PostgreSQL') || name.startsWith('all');

/** What is killed, and how it starts again. */
export const KINDS: readonly FaultKind[] = [
  ...FAULT_KINDS.filter(({ name }) => / is killed$|dies/.test(name)),
  killEach('both workers are killed', ({ workers }) => workers),
  killEach('both gateways are killed', ({ gateways }) => gateways),
  killEach('all processes are killed', ({ gateways, workers }) => [...gateways, ...workers]),
];
