import type { ErrorCode } from '../domain/errors.js';
import type { Admission } from '../services/access/access.js';
import type { Clock } from '../services/ports.js';
import type { Services } from '../services/services.js';
import type { Roots } from './compiled/kept-roots.js';
import { createLoaders, type Loaders } from './loaders.js';

interface Run {
  /** Whether the request was GraphQL at all, whatever its document is. */
  isWellFormed: boolean;
  /** What the operation costs, once that is known (D40). */
  cost: number;
  /** Its type and root field, once they are known. */
  operation: string | null;
  /** The code of the first error that it met. */
  refusal: ErrorCode | null;
  /** What the planned way was given: whoever completes the answer asks each root field once. */
  readonly roots: Roots;
}

/** What every resolver is given; one for each request. */
export interface GatewayContext {
  /** Who passed the gate. */
  readonly admission: Admission;
  readonly services: Services;
  readonly clock: Clock;
  readonly requestId: string;
  loaders: Loaders;
  /** What became of the request on its way; kept apart because Apollo Server copies the context. */
  readonly run: Run;
}

interface ContextParts {
  readonly services: Services;
  readonly clock: Clock;
  readonly admission: Admission;
  readonly requestId: string;
}

export const createContext = (parts: ContextParts): GatewayContext => ({
  ...parts,
  loaders: freshLoaders(parts),
  run: { isWellFormed: false, cost: 0, operation: null, refusal: null, roots: new Map() },
});

/** Loaders that have read nothing: after a change in the same request, nothing from before it may be shown. */
export const freshLoaders = ({
  services,
  admission,
  clock,
}: Omit<ContextParts, 'requestId'>): Loaders => createLoaders(services, admission, clock.now());
