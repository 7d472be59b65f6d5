import { setTimeout as sleep } from 'node:timers/promises';
import { liveFields } from '../domain/networks/live-fields.js';
import { NETWORK_FAILURES } from '../domain/networks/network-failures.js';
import type { SandboxFailure } from '../domain/networks/sandbox.js';
import type { NetworkAdapter, NetworkFailure } from '../services/networks/network-ports.js';
import type { Clock } from '../services/ports.js';
import type { SandboxStore } from '../services/networks/sandbox-ports.js';

interface SandboxParts {
  readonly store: SandboxStore;
  readonly clock: Clock;
}

const failed = (code: SandboxFailure, more: Partial<NetworkFailure> = {}): NetworkFailure => ({
  kind: 'failed',
  code,
  message: `The sandbox network says: ${NETWORK_FAILURES[code].meaning}`,
  ...more,
});

/**
 * A network that calls nobody: it keeps posts in the service's own database, changes what an edit names and nothing
 * else, and fails as it was told to. It stands in for every network whose account is a sandbox account.
 */
export function createSandboxNetwork({ store, clock }: SandboxParts): NetworkAdapter {
  async function refusalOf(postId: string): Promise<NetworkFailure | null> {
    const { delayMs, tokenExpired, rateLimitSeconds } = await store.faults(postId, clock.now());
    if (delayMs !== null) await sleep(delayMs);
    if (tokenExpired) return failed('NETWORK_REAUTHORIZATION_NEEDED');
    if (rateLimitSeconds !== null)
      return failed('NETWORK_RATE_LIMITED', { retryAfterMs: rateLimitSeconds * 1000 });
    const code = await store.takeFailure(postId);
    if (code === 'NETWORK_POST_DELETED') await store.remove(postId, clock.now());
    return code && failed(code);
  }

  return {
    verified: true,
    note: 'Keeps posts inside the service; nothing leaves it.',
    credentialFields: [],
    async edit({ remoteId, post, changed }) {
      const refusal = await refusalOf(remoteId);
      if (refusal) return refusal;
      const told = Object.entries(liveFields(post)).filter(([path]) =>
        (changed as ReadonlySet<string>).has(path),
      );
      const isThere = await store.edit(remoteId, Object.fromEntries(told), clock.now());
      return isThere ? { kind: 'edited' } : failed('NETWORK_POST_DELETED');
    },
    check: async () => ({
      kind: 'failed',
      code: 'NETWORK_REFUSED',
      message: 'Accounts of the sandbox network need no credentials.',
    }),
  };
}
