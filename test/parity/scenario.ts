import type { ScenarioContext } from './environment.js';

/** A name, the expected outcome of each request (`ok` or the error code), and the requests. */
export type Scenario = readonly [
  name: string,
  outcomes: readonly string[],
  run: (context: ScenarioContext) => Promise<void>,
];

/** A document id without a post. */
export const UNKNOWN = 'ffffffffffffffffffffffff';
