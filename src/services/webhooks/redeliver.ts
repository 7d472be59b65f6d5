import type {
  MissedPosition,
  RedeliveryQueue,
} from '../../persistence/webhooks/redelivery-queue.js';
import type { Clock } from '../clock.js';
import type { JobHandler } from '../jobs/job-handler.js';

interface RedeliveryDependencies {
  readonly queue: RedeliveryQueue;
  readonly clock: Clock;
}

const START: MissedPosition = { transaction: '0', sequence: '0' };

/**
 * Queues messages of a webhook again (D75): events without a delivery first. Each batch adds to
 * what an interrupted attempt has done. If the lease is lost, another worker has the job: stops.
 */
export const createRedelivery =
  ({ queue, clock }: RedeliveryDependencies): JobHandler =>
  async ({ id, renew }) => {
    const now = clock.now();
    let isLeased = true;
    let position: MissedPosition | null = START;
    while (isLeased && position) {
      position = await queue.addMissed(id, now, position);
      isLeased = await renew();
    }
    while (isLeased && (await queue.requeue(id, now))) isLeased = await renew();
    return { kind: 'completed', failures: [] };
  };
