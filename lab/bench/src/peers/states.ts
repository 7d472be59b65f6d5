import { STORED_STATES } from '../product.js';

export const PRIVATE = [
  STORED_STATES.draft_private_dated!.number,
  STORED_STATES.draft_private_undated!.number,
];

export const SCHEDULED = STORED_STATES.scheduled!.number;

const storedStates = Object.values(STORED_STATES);
const numbers = (isMember: (state: string) => boolean): number[] =>
  storedStates.filter(({ state }) => isMember(state)).map(({ number }) => number);

/** Stored states of each filter that the benchmark uses. */
export const STORED_STATES_OF: Readonly<Record<string, readonly number[]>> = {
  SCHEDULED: numbers((state) => state.startsWith('scheduled')),
  RECYCLING: numbers((state) => state.startsWith('recycling')),
};
/** Stored states of filters; null without a filter. */
export const storedStatesOf = (states: readonly string[] | null | undefined): number[] | null =>
  states && states.length > 0 ? states.flatMap((state) => STORED_STATES_OF[state] ?? []) : null;

/** State of each stored state number, as v1 and as GraphQL show it. */
export const SHOWN: Readonly<Record<number, string>> = Object.fromEntries(
  storedStates.map(({ number, state }) => [number, state]),
);
export const STATES: Readonly<Record<number, string>> = Object.fromEntries(
  storedStates.map(({ number, state }) => [number, state.toUpperCase()]),
);
