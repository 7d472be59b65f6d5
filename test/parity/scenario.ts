import type { Stage } from './stage.js';

/** What is done, and what each answer comes to, in order: `ok` or the code of the refusal. */
export type Scenario = readonly [
  name: string,
  outcomes: readonly string[],
  play: (stage: Stage) => Promise<void>,
];

/** A document id that no post has. */
export const UNKNOWN = 'ffffffffffffffffffffffff';
