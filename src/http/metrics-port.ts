import type { Api } from './api-of-path.js';
import type { RequestContext } from './request-context.js';

/** A request that is over. */
export interface CompletedRequest {
  readonly api: Api;
  readonly context: Readonly<RequestContext>;
  /** HTTP status; 499 if the client disconnected before the response. */
  readonly status: number;
  readonly seconds: number;
}

/** Measures requests. It is called twice per request, so both calls must be cheap. */
export interface RequestMetrics {
  started(): void;
  completed(request: CompletedRequest): void;
}
