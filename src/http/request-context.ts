import type { ServerResponse } from 'node:http';
import type { ErrorCode } from '../domain/errors.js';
import type { CountedRate } from '../services/access/access.js';

/** What those who answer a request tell the hall of it, for log and metrics. */
export interface Trace {
  /**
   * What was asked, in one of the few words that the code itself has: `query posts`, `GET /v1/posts/{id}`; never text of
   * the client's.
   */
  operation: string;
  /** The code it was refused with; the first one of several. */
  refusal: ErrorCode | null;
  /** The window that it was counted in; null where it was not. */
  rate: Pick<CountedRate, 'allowed' | 'isShared'> | null;
}

/** What was asked of the pages for browsers. */
export const PAGES = 'pages';

/** What was not worked at, because there was too much to do. */
export const SHED = 'shed';

/** Where it never came out what was asked. */
const UNKNOWN_OPERATION = 'unknown';

type Traced = ServerResponse & { locals?: Trace };

/** Begins the trace of a request, before anybody else sees it: Express keeps what it finds as `response.locals`, and v1 writes there. */
export const beginTrace = (response: ServerResponse): Trace =>
  ((response as Traced).locals = { operation: UNKNOWN_OPERATION, refusal: null, rate: null });

/** The trace that the hall began. */
export const traceOf = (response: ServerResponse): Trace => (response as Traced).locals!;
