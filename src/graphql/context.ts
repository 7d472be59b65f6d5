import type { ErrorCode } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Clock } from '../services/clock.js';
import type { Services } from '../services/services.js';
import type { PreparedDocument, PreparedOperation } from './document/prepared-document.js';
import { createLoaders, type Loaders } from './loaders.js';

/** What is recorded about a request while it runs. */
export interface RequestState {
  /** Whether the request is a well-formed GraphQL request. Its document can still be invalid. */
  isWellFormed: boolean;
  /** Cost of the operation; 0 until it is computed (D40). */
  cost: number;
  /** The operation to execute; null until it is chosen from the document. */
  operation: PreparedOperation | null;
  /** Code of the first error. */
  errorCode: ErrorCode | null;
}

/** Context of the resolvers, one per request. */
export interface GatewayContext {
  /** Caller, workspace and rate limit of the request. */
  readonly authentication: Authentication;
  readonly services: Services;
  readonly clock: Clock;
  readonly requestId: string;
  /** The header Last-Event-ID of a request for an event stream. */
  readonly lastEventId?: string | undefined;
  /** Null if the request contains none. */
  readonly document: PreparedDocument | null;
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
  readonly lastEventId?: string | undefined;
  readonly document: PreparedDocument | null;
}

/** Creates the context of a request. */
export const createContext = (options: ContextOptions): GatewayContext => ({
  ...options,
  loaders: createRequestLoaders(options),
  state: { isWellFormed: false, cost: 0, operation: null, errorCode: null },
});

/** Creates empty loaders. After a mutation, cached rows of the same request are stale. */
export const createRequestLoaders = ({
  services,
  authentication,
  clock,
}: Pick<ContextOptions, 'services' | 'authentication' | 'clock'>): Loaders =>
  createLoaders(services, authentication, clock.now());
