import type { IncomingMessage } from 'node:http';
import {
  presentLogPosition,
  readLogPosition,
  type LogPosition,
} from '../../domain/access/log-position.js';
import { GatewayError } from '../../domain/errors.js';
import type { Authentication } from '../../services/access/access-control.js';
import type { ReadPositions } from '../../services/replicas/read-positions.js';

/** The position of a change, which a client may send with later requests. */
export const POSITION_HEADER = 'X-Database-Position';

/** The position that the client sent; 0 without one. @throws GatewayError BAD_USER_INPUT */
export function readPositionHeader({ headers }: Pick<IncomingMessage, 'headers'>): LogPosition {
  const text = headers[POSITION_HEADER.toLowerCase()];
  const position = text === undefined ? 0 : readLogPosition(String(text));
  if (position !== undefined) return position;
  throw new GatewayError(
    'BAD_USER_INPUT',
    `${POSITION_HEADER} is not valid. Send the value of an earlier response, such as 16/B374D848, or leave the header out.`,
  );
}

const toHeaders = (position: LogPosition | null): Readonly<Record<string, string>> =>
  position === null ? {} : { [POSITION_HEADER]: presentLogPosition(position) };

/**
 * Runs a request that may change something. When it returns, later requests of the user see the
 * change. Also returns the headers that the response needs; none without replicas.
 */
export async function advanceAfter<Result>(
  change: () => Promise<Result>,
  readPositions: Pick<ReadPositions, 'advance'> | null,
  { caller }: Pick<Authentication, 'caller'>,
): Promise<readonly [Result, Readonly<Record<string, string>>]> {
  if (!readPositions) return [await change(), {}];
  const advance = (): Promise<LogPosition | null> => readPositions.advance(caller.user.id);
  const result = await change().catch(async (error: unknown) => {
    await advance(); // a change that failed may have been saved
    throw error;
  });
  return [result, toHeaders(await advance())];
}
