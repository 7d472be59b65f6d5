import type { ErrorCode } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Clock } from '../services/clock.js';
import type { Services } from '../services/services.js';
import type { RootResults } from './compiled/memoized-roots.js';
import { createLoaders, type Loaders } from './loaders.js';

interface RequestState {
  /** Whether the request is a well-formed GraphQL request. Its document can still be invalid. */
  isWellFormed: boolean;
  /** Cost of the operation; 0 until it is computed (D40). */
  cost: number;
  /**
   * Type and root field of the operation, such as `query posts`; null until the document is parsed.
   */
  operation: string | null;
  /** Code of the first error. */
  errorCode: ErrorCode | null;
  /**
   * Results of root fields that compiled execution resolved, so that graphql-js does not resolve
   * them again.
   */
  readonly rootResults: RootResults;
}

/** Context of the resolvers, one per request. */
export interface GatewayContext {
  /** Caller, workspace and rate limit of the request. */
  readonly authentication: Authentication;
  readonly services: Services;
  readonly clock: Clock;
  readonly requestId: string;
  /** Replaced after a mutation. */
  loaders: Loaders;
  /** Mutable state of the request. A separate object because Apollo Server copies the context. */
  readonly state: RequestState;
}

interface ContextOptions {
  readonly services: Services;
  readonly clock: Clock;
  readonly authentication: Authentication;
  readonly requestId: string;
}

/** Creates the context of a request. */
export const createContext = (options: ContextOptions): GatewayContext => ({
  ...options,
  loaders: createRequestLoaders(options),
  state: { isWellFormed: false, cost: 0, operation: null, errorCode: null, rootResults: new Map() },
});

/** Creates empty loaders. After a mutation, cached rows of the same request are stale. */
export const createRequestLoaders = ({
  services,
  authentication,
  clock,
}: Omit<ContextOptions, 'requestId'>): Loaders =>
  createLoaders(services, authentication, clock.now());
