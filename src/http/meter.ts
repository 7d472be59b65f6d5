import type { Trace } from './request-context.js';

export type Door = 'graphql' | 'rest' | 'health';

/** A request that is over. */
export interface Answered {
  readonly door: Door;
  readonly trace: Readonly<Trace>;
  /** HTTP's; 499 where the client went before it was answered. */
  readonly status: number;
  readonly seconds: number;
}

/** What the hall tells of each request, twice: it has to cost next to nothing. */
export interface Meter {
  began(): void;
  answered(request: Answered): void;
}

const DOORS: ReadonlyMap<string, Door> = new Map([
  ['/graphql', 'graphql'],
  ['/healthz', 'health'],
  ['/readyz', 'health'],
]);

export const doorOf = (path: string): Door => DOORS.get(path) ?? 'rest';
