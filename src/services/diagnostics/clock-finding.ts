import type {
  ClockReading,
  DatabaseFacts,
  DiagnosticFacts,
  Finding,
} from '../../domain/diagnostics/diagnostic-facts.js';

/**
 * Thresholds in milliseconds: leases of jobs and grants, of 10 seconds and more, tolerate less than
 * a second; rate windows and the expiry of keys tolerate more.
 */
const SKEW_THRESHOLDS_MS = { warn: 1_000, fail: 8_000 };

/** Compares the clocks of this machine, the database and Redis with each other. */
export function clockFinding(database: DatabaseFacts, redis: DiagnosticFacts['redis']): Finding {
  const subject = 'clock';
  const remotes = [
    { name: 'database', ...offsetOf(database.clock) },
    ...(redis !== null && typeof redis !== 'string'
      ? [{ name: 'Redis', ...offsetOf(redis.clock) }]
      : []),
  ];
  const clocks = [{ name: 'this machine', ahead: 0, uncertainty: 0 }, ...remotes];
  const skew = Math.max(
    ...clocks.flatMap((a) => clocks.map((b) => a.ahead - b.ahead - a.uncertainty - b.uncertainty)),
    0,
  );
  const message = remotes
    .map(
      ({ name, ahead }) =>
        `${name} ${Math.abs(Math.round(ahead))} ms ${ahead < 0 ? 'behind' : 'ahead'}`,
    )
    .join(', ');
  if (skew <= SKEW_THRESHOLDS_MS.warn) return { status: 'ok', subject, message };
  return {
    status: skew > SKEW_THRESHOLDS_MS.fail ? 'fail' : 'warn',
    subject,
    message,
    advice: 'Synchronize the clocks with NTP: leases, rate windows and expiries depend on them.',
  };
}

const offsetOf = ({
  sent,
  remote,
  received,
}: ClockReading): { ahead: number; uncertainty: number } => ({
  ahead: remote - (sent + received) / 2,
  uncertainty: (received - sent) / 2,
});
