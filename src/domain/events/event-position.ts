/**
 * A position in the events of a database, in the order in which readers read them. A reader at this
 * position has read all events up to it, and none after it.
 */
export interface EventPosition {
  /** Number of the transaction that wrote the last event. */
  readonly transactionId: bigint;
  /** Sequence of the last event. 0: the events of the transaction come next. */
  readonly sequence: bigint;
  /** How recent the position is: it expires some time after. */
  readonly at: Date;
}

/** Whether a position comes after another one. */
export const isAfter = (
  { transactionId, sequence }: EventPosition,
  other: EventPosition,
): boolean =>
  transactionId > other.transactionId ||
  (transactionId === other.transactionId && sequence > other.sequence);
