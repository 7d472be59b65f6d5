import type { Viewer } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import type { Grant, KeyStore, KeyUse } from '../../persistence/access/key-store.js';
import type { Clock } from '../clock.js';

/**
 * The grants of keys whose streams are open. Never cached: a grant is read after it was asked for,
 * so that a change of the key or of the membership is effective at once (D74).
 */
export interface CurrentGrants {
  /**
   * The member who uses a key, with the current rights. Calls of one tick share a query, and those
   * of the same use its result, the same object.
   * @throws GatewayError UNAUTHENTICATED, PLAN_REQUIRED, NOT_A_MEMBER
   */
  viewer(use: KeyUse): Promise<Viewer>;
  /** The uses that are over: key, membership or API access has ended. */
  findEnded<U extends KeyUse>(uses: readonly U[]): Promise<readonly U[]>;
}

interface Waiting {
  readonly use: KeyUse;
  readonly viewer: Promise<Viewer>;
  readonly resolve: (viewer: Promise<Viewer>) => void;
}

const keyOf = ({ keyId, workspaceId }: KeyUse): string => `${keyId} ${workspaceId}`;

function waitingFor(use: KeyUse): Waiting {
  let resolve!: Waiting['resolve'];
  const viewer = new Promise<Viewer>((settle) => (resolve = settle));
  return { use, viewer, resolve };
}

/** @throws GatewayError if the grant does not allow to read the workspace through GraphQL */
function toViewer(grant: Grant | null | undefined): Viewer {
  if (!grant) throw new GatewayError('UNAUTHENTICATED');
  if (grant.caller.plan !== 'business') throw new GatewayError('PLAN_REQUIRED');
  if (!grant.viewer) throw new GatewayError('NOT_A_MEMBER');
  return { ...grant.viewer, api: 'graphql' };
}

/** Creates the reader of current grants. */
export function createCurrentGrants(
  store: Pick<KeyStore, 'findGrants' | 'findEnded'>,
  clock: Clock,
): CurrentGrants {
  let waiting = new Map<string, Waiting>();

  function readAll(): void {
    const batch = [...waiting.values()];
    waiting = new Map();
    const grants = store.findGrants(
      batch.map(({ use }) => use),
      clock.now(),
    );
    batch.forEach(({ resolve }, index) => resolve(grants.then((all) => toViewer(all[index]))));
  }

  return {
    viewer(use) {
      const key = keyOf(use);
      const known = waiting.get(key);
      if (known) return known.viewer;
      if (waiting.size === 0) setImmediate(readAll);
      const entry = waitingFor(use);
      waiting.set(key, entry);
      return entry.viewer;
    },
    async findEnded(uses) {
      const distinct = [...new Map(uses.map((use) => [keyOf(use), use])).values()];
      if (distinct.length === 0) return [];
      const indexes = await store.findEnded(distinct, clock.now());
      const ended = new Set(indexes.map((index) => keyOf(distinct[index]!)));
      return ended.size === 0 ? [] : uses.filter((use) => ended.has(keyOf(use)));
    },
  };
}
