import { CELLS } from '../product.js';

export const PRIVATE = [CELLS.draft_private_dated!.number, CELLS.draft_private_undated!.number];

const cells = Object.values(CELLS);
const numbers = (isMember: (shows: string) => boolean): number[] =>
  cells.filter(({ shows }) => isMember(shows)).map(({ number }) => number);

/** The storage cells of the filters that the benchmark asks with. */
export const CELLS_OF: Readonly<Record<string, readonly number[]>> = {
  SCHEDULED: numbers((shows) => shows.startsWith('scheduled')),
  RECYCLING: numbers((shows) => shows.startsWith('recycling')),
};
/** The cells of a filter, or null where it names none. */
export const cellsOf = (states: readonly string[] | null | undefined): number[] | null =>
  states && states.length > 0 ? states.flatMap((state) => CELLS_OF[state] ?? []) : null;

/** What a cell shows, by its number, as v1 writes it and as GraphQL does. */
export const SHOWN: Readonly<Record<number, string>> = Object.fromEntries(
  cells.map(({ number, shows }) => [number, shows]),
);
export const STATES: Readonly<Record<number, string>> = Object.fromEntries(
  cells.map(({ number, shows }) => [number, shows.toUpperCase()]),
);
