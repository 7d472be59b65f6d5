import type { SaveOutcome } from '../../domain/changes/change.js';

/** Thrown inside a transaction to roll it back and return an outcome. */
export class RollbackError extends Error {
  constructor(readonly outcome: SaveOutcome) {
    super(outcome.kind);
  }
}
