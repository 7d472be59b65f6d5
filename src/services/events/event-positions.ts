import { GatewayError, invalidArguments } from '../../domain/errors.js';
import type { EventPosition } from '../../domain/events/event.js';
import type { EventHorizon, EventStore } from '../../persistence/events/event-store.js';
import type { Clock } from '../clock.js';
import { readEventCursor } from './event-cursor.js';

const DAY_MS = 86_400_000;
/** Days for which a cursor can be used, unless events are kept for fewer (D73). */
const MAX_CURSOR_DAYS = 30;

export interface EventPositionsDependencies {
  readonly store: Pick<EventStore, 'horizon'>;
  readonly clock: Clock;
  /** Days for which events are kept. */
  readonly eventRetentionDays: number;
}

/** A position, and the database in which it is valid. */
export interface DatabasePosition {
  readonly position: EventPosition;
  readonly database: string;
}

/** The positions from which readers of events continue. */
export interface EventPositions {
  /** The position of a reader that has read everything up to the horizon. */
  present(horizon: EventHorizon): EventPosition;
  /**
   * Reads a cursor that a client sent as this argument or header.
   * @throws GatewayError BAD_USER_INPUT with the path of the argument; CURSOR_EXPIRED
   */
  read(
    workspaceId: string,
    cursor: string,
    name: 'after' | 'Last-Event-ID',
  ): Promise<DatabasePosition>;
  /**
   * @throws GatewayError CURSOR_EXPIRED if a backup was restored since the position was read, or if
   * the server has an older state of its files
   */
  assertContinues(from: DatabasePosition, horizon: EventHorizon): void;
}

/** Creates the positions of a process. */
export function createEventPositions({
  store,
  clock,
  eventRetentionDays,
}: EventPositionsDependencies): EventPositions {
  const maxAge = Math.min(MAX_CURSOR_DAYS, eventRetentionDays) * DAY_MS;

  /** The database, as far as this process knows: the restore of a backup changes it. */
  let knownDatabase: string | undefined;
  const readDatabase = async (): Promise<string> => {
    const { database } = await store.horizon();
    knownDatabase = database;
    return database;
  };

  return {
    present: ({ transactionId }) => ({ transactionId, sequence: 0n, at: clock.now() }),
    async read(workspaceId, cursor, name) {
      let database = knownDatabase ?? (await readDatabase());
      let reading = readEventCursor({ database, workspaceId }, cursor);
      if (reading.kind === 'other_database') {
        database = await readDatabase();
        reading = readEventCursor({ database, workspaceId }, cursor);
      }
      if (reading.kind === 'invalid')
        throw invalidArguments([
          { path: [name], message: 'must be an unmodified cursor of this workspace.' },
        ]);
      if (reading.kind === 'other_database') throw new GatewayError('CURSOR_EXPIRED');
      const { position } = reading;
      if (clock.now().getTime() - position.at.getTime() > maxAge)
        throw new GatewayError('CURSOR_EXPIRED');
      return { position, database };
    },
    assertContinues({ position, database }, horizon) {
      if (horizon.database !== database || position.transactionId > horizon.transactionId)
        throw new GatewayError('CURSOR_EXPIRED');
    },
  };
}
