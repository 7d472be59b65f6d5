import type fc from 'fast-check';
import type { FuzzResponse, Sender } from './fuzz-request.js';
import type { FuzzDatabase } from './fuzz-database.js';

/** A kind of generated requests, and the checks of their responses. */
export interface FuzzTarget<Request = never> {
  readonly name: string;
  /** Share of all requests, in percent. */
  readonly share: number;
  requests(database: FuzzDatabase): fc.Arbitrary<Request>;
  /**
   * Sends a request and checks the response.
   * @returns outcome in one or two words, counted in the results
   * @throws Error that lists the violations
   */
  check(request: Request, environment: FuzzEnvironment): Promise<string>;
}

/** What the checks send requests to. */
export interface FuzzEnvironment {
  readonly database: FuzzDatabase;
  readonly url: string;
  readonly send: Sender;
}

/** @throws Error for a status of 500 or above */
export function assertNoServerError({ status, text }: Pick<FuzzResponse, 'status' | 'text'>): void {
  if (status >= 500) throw new Error(`status ${status}: ${text}`);
}
