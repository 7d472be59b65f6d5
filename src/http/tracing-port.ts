import type { IncomingMessage } from 'node:http';
import type { CompletedRequest } from './metrics-port.js';

/** A request that is being traced. */
export interface RequestSpan {
  /** Runs the handler of the request as part of its span. */
  run<Result>(work: () => Result): Result;
  end(request: CompletedRequest): void;
}

/** Traces requests. */
export interface RequestTracing {
  /** Continues the trace of the caller, if the request has the header `traceparent`. */
  started(request: IncomingMessage): RequestSpan;
}
