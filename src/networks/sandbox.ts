import { setTimeout as sleep } from 'node:timers/promises';
import { liveFields } from '../domain/networks/live-fields.js';
import { NETWORK_FAILURES } from '../domain/networks/network-failures.js';
import type { SandboxFailure, SandboxFaults } from '../domain/networks/sandbox.js';
import type {
  NetworkAdapter,
  NetworkFailure,
  SandboxStore,
} from '../services/networks/network-ports.js';
import type { Clock } from '../services/clock.js';
import type { SandboxDeliveryStore } from '../services/publishing/sandbox-ports.js';
import { createSandboxPublisher, type InjectedFaults } from './sandbox-publisher.js';

interface SandboxDependencies {
  readonly store: SandboxStore;
  readonly deliveries: SandboxDeliveryStore;
  readonly clock: Clock;
}

const toFailure = (
  code: SandboxFailure,
  extraFields: Partial<NetworkFailure> = {},
): NetworkFailure => ({
  kind: 'failed',
  code,
  message: `Sandbox network: ${NETWORK_FAILURES[code].description}`,
  ...extraFields,
});

/**
 * The network of sandbox accounts. It sends no requests: it stores posts in the service's own
 * database, changes only the fields that an edit names, and fails as configured.
 */
export function createSandboxNetwork({
  store,
  deliveries,
  clock,
}: SandboxDependencies): NetworkAdapter {
  async function injectedFaults(postId: string): Promise<InjectedFaults> {
    const faults = await store.faults(postId, clock.now());
    return { faults, failure: await failureOf(postId, faults) };
  }
  const injectedFailure = async (postId: string): Promise<NetworkFailure | null> =>
    (await injectedFaults(postId)).failure;

  async function failureOf(postId: string, faults: SandboxFaults): Promise<NetworkFailure | null> {
    const { delayMs, tokenExpired, rateLimitSeconds } = faults;
    if (delayMs !== null) await sleep(delayMs);
    if (tokenExpired) return toFailure('NETWORK_REAUTHORIZATION_NEEDED');
    if (rateLimitSeconds !== null)
      return toFailure('NETWORK_RATE_LIMITED', { retryAfterMs: rateLimitSeconds * 1000 });
    if (!faults.fail) return null;
    const code = await store.consumeFailure(postId);
    if (code === 'NETWORK_POST_DELETED') await store.delete(postId, clock.now());
    return code && toFailure(code);
  }

  return {
    verified: true,
    note: 'Stores posts in the gateway’s own database and sends no requests.',
    credentialFields: [],
    publisher: createSandboxPublisher({ store, deliveries, clock, injectedFaults }),
    async edit({ remoteId, post, changed }) {
      const failure = await injectedFailure(remoteId);
      if (failure) return failure;
      const changedFields = Object.entries(liveFields(post)).filter(([path]) =>
        (changed as ReadonlySet<string>).has(path),
      );
      const isEdited = await store.edit(remoteId, Object.fromEntries(changedFields), clock.now());
      return isEdited ? { kind: 'edited' } : toFailure('NETWORK_POST_DELETED');
    },
    check: async () => ({
      kind: 'failed',
      code: 'NETWORK_REFUSED',
      message: 'Sandbox accounts do not use credentials.',
    }),
  };
}
