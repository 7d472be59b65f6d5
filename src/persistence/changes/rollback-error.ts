import type { SaveOutcome } from '../../services/ports.js';

/** Thrown inside a transaction to roll it back with an outcome. */
export class Stop extends Error {
  constructor(readonly outcome: SaveOutcome) {
    super(outcome.kind);
  }
}
