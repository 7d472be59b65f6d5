import { allAttempts, MAX_RESPONSE_MS } from '../../test/faults/response-rules.js';
import type { Service } from './failover-load.js';
import type { RequestHistory } from '../../test/faults/request-history.js';
import { measureCoreWaits } from './core-waits.js';

/**
 * Measures how long the gateways and the clients have no core: on a busy machine, a response can be
 * late although the service did not wait for anything else.
 */
export function measureProcesses({ gateways }: Pick<Service, 'gateways'>) {
  const clients = measureCoreWaits(process.pid);
  const byGateway = gateways.map((gateway) => measureCoreWaits(gateway.pid()));
  return {
    /** Writes into each attempt how long its gateway or its client had no core. */
    complete(history: RequestHistory): void {
      for (const measured of [clients, ...byGateway]) measured.end();
      for (const attempt of allAttempts(history)) {
        const { startedAt, endedAt, gateway } = attempt;
        attempt.withoutCoreMs = Math.max(
          ...[clients, byGateway[gateway]!].map((waits) => waits.between(startedAt, endedAt)),
        );
      }
    },
  };
}

/** The 503 responses that are in time only because the time without a core does not count. */
export function lateResponsesLine(history: RequestHistory): string {
  const late = allAttempts(history)
    .filter(({ status }) => status === 503)
    .map(({ startedAt, endedAt, withoutCoreMs = 0 }) => [endedAt - startedAt, withoutCoreMs])
    .filter(([ms]) => ms! > MAX_RESPONSE_MS)
    .map((times) => times.map(Math.round))
    .map(([ms, withoutCoreMs]) => `${ms} ms, ${withoutCoreMs} ms of them without a core`);
  return `503 after more than ${MAX_RESPONSE_MS} ms: ${late.length}${late.length > 0 ? ` (${late.join('; ')}). The time in which the gateway or the clients had no core does not count.` : ''}`;
}
