import { Counter, Gauge, type Registry } from 'prom-client';
import type { StreamEndLabel, StreamMetrics } from '../services/events/live-events.js';

/** Values of the label `reason`. */
const REASONS: readonly StreamEndLabel[] = ['closed', 'too_slow', 'shutdown', 'error'];

/** Counts event streams. Series exist from the start, so that rates include the first stream. */
export function createStreamMetrics(register: Registry): StreamMetrics {
  const open = new Gauge({
    name: 'posts_gateway_event_streams',
    registers: [register],
    help: 'Open event streams.',
  });
  const delivered = new Counter({
    name: 'posts_gateway_streamed_events_total',
    registers: [register],
    help: 'Events sent to event streams. An event counts once for each stream.',
  });
  const closed = new Counter({
    name: 'posts_gateway_event_streams_ended_total',
    labelNames: ['reason'],
    registers: [register],
    help: 'Ended event streams, by reason: closed by the client, too_slow (the client did not read), shutdown of the process, or error, such as a revoked key.',
  });
  for (const reason of REASONS) closed.inc({ reason }, 0);
  return {
    opened: () => open.inc(),
    delivered: () => delivered.inc(),
    closed(reason) {
      open.dec();
      closed.inc({ reason });
    },
  };
}
