import type { ServerResponse } from 'node:http';
import type { ErrorCode } from '../domain/errors.js';
import type { CountedRate } from '../services/access/access-control.js';

/** Data about a request that its handlers collect for the response, the log and the metrics. */
export interface RequestContext {
  /** Headers that the response gets in addition to its own ones, which take precedence. */
  readonly headers: Record<string, string | number>;
  /**
   * Low-cardinality name of the operation: `query posts`, `GET /v1/posts/{id}`. Never contains text
   * from the client.
   */
  operation: string;
  /** Code of the first error in the response. */
  errorCode: ErrorCode | null;
  /** The rate limit window that counted the request; null if none did. */
  rate: Pick<CountedRate, 'allowed' | 'isShared'> | null;
  /**
   * To be called when the response becomes an event stream, which stays open: the request no longer
   * counts as being processed, and has no deadline.
   */
  streamStarted: () => void;
  /**
   * To be called when the answer has been passed to the connection: the request needs no place any
   * more, and its client has some time to read.
   * @param bytes size of the answer
   */
  answered: (bytes: number) => void;
}

/** Operation of the pages for browsers. */
export const PAGES_OPERATION = 'pages';

/** Operation of requests rejected because of overload. */
export const OVERLOADED_OPERATION = 'overloaded';

/** Operation of requests that failed before it could be determined. */
const UNKNOWN_OPERATION = 'unknown';

type ResponseWithContext = ServerResponse & { context?: RequestContext };

/** Attaches a context to a response. */
export const createRequestContext = (response: ServerResponse): RequestContext =>
  ((response as ResponseWithContext).context = {
    headers: {},
    operation: UNKNOWN_OPERATION,
    errorCode: null,
    rate: null,
    streamStarted() {},
    answered() {},
  });

/** The context that `createRequestContext` attached to the response. */
export const requestContextOf = (response: ServerResponse): RequestContext =>
  (response as ResponseWithContext).context!;
