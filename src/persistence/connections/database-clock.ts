import { clockOffset, type ClockReading } from '../../domain/diagnostics/diagnostic-facts.js';
import type { Log } from '../../domain/log.js';
import type { Sql } from '../sql.js';

/** The time of the database server, which all processes share. */
export interface DatabaseClock {
  now(): Date;
  /** Milliseconds that it is ahead of this machine's clock; negative if it is behind. */
  readonly offsetMs: number;
}

const READ = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms';
const READINGS = 3;

/** The fastest of three readings: the first may include the wait for a connection. */
export async function readDatabaseClock(sql: Sql): Promise<ClockReading> {
  const readings: ClockReading[] = [];
  for (let count = 0; count < READINGS; count++) {
    const sent = Date.now();
    const [row] = await sql<{ ms: number }>(READ);
    readings.push({ sent, remote: row!.ms, received: Date.now() });
  }
  return readings.reduce((fastest, reading) =>
    reading.received - reading.sent < fastest.received - fastest.sent ? reading : fastest,
  );
}

/** The machine's time has whole milliseconds. */
const RESOLUTION_MS = 1;

/**
 * The offset after a reading, in milliseconds: what was known before if the reading does not
 * contradict it. The time would otherwise jump by the jitter of the network.
 */
export function offsetAfter(knownMs: number, reading: ClockReading): number {
  const { ahead, uncertainty } = clockOffset(reading);
  return Math.abs(ahead - knownMs) <= uncertainty + RESOLUTION_MS ? knownMs : ahead;
}

/** A clock of a machine without NTP drifts by about a second a day. */
const INTERVAL_MS = 10_000;
/** Posts are published on time if clocks differ less. */
export const MAX_CLOCK_OFFSET_MS = 1_000;
const WARNING_INTERVAL_MS = 3_600_000;

/**
 * Opens the clock of a database and reads it again every 10 seconds. If it cannot be read, the last
 * reading counts. Warns of a difference of more than a second.
 */
export async function openDatabaseClock(
  sql: Sql,
  log: Log,
): Promise<DatabaseClock & { close(): void }> {
  let offsetMs = 0;
  let warnedAt = -Infinity;

  async function update(): Promise<void> {
    offsetMs = offsetAfter(offsetMs, await readDatabaseClock(sql));
    if (
      Math.abs(offsetMs) < MAX_CLOCK_OFFSET_MS ||
      performance.now() - warnedAt < WARNING_INTERVAL_MS
    )
      return;
    warnedAt = performance.now();
    const seconds = Math.round(Math.abs(offsetMs) / 100) / 10;
    log.warn(
      `The clock of this machine is ${seconds} s ${offsetMs < 0 ? 'ahead of' : 'behind'} the clock of the database, which is used instead. Synchronize both clocks, for example with NTP.`,
    );
  }

  await update();
  const timer = setInterval(() => void update().catch(() => undefined), INTERVAL_MS).unref();
  return {
    now: () => new Date(Date.now() + offsetMs),
    get offsetMs() {
      return offsetMs;
    },
    close: () => clearInterval(timer),
  };
}
