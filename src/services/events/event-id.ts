import { createHash } from 'node:crypto';
import type { EventPosition } from '../../domain/events/event.js';

/** Hexadecimal digits of an ID. */
const LENGTH = 24;

/**
 * The public ID of an event: the same in all APIs and processes. It follows from the position, but
 * does not show it: sequences tell how much happens in other workspaces.
 */
export const eventIdOf = (
  database: string,
  { transactionId, sequence }: Pick<EventPosition, 'transactionId' | 'sequence'>,
): string => {
  const hash = createHash('sha256').update(`event ${database} ${transactionId} ${sequence}`);
  return `evt_${hash.digest('hex').slice(0, LENGTH)}`;
};
