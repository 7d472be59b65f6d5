import type { Worker } from '../../src/jobs/worker.js';
import type { EditResult } from '../../src/services/networks/network-ports.js';
import { waitFor } from '../fixtures/wait-for.js';
import type { TestWorker } from '../fixtures/test-worker.js';

/** Starts workers on a fixture, and waits for what they do. */
export function runningWorkers(fixture: () => TestWorker) {
  const workers: Worker[] = [];
  return {
    startWorker(options: Parameters<TestWorker['aWorker']>[0] = {}): Worker {
      const worker = fixture().aWorker(options);
      workers.push(worker);
      worker.start();
      return worker;
    },
    async stopWorkers(): Promise<void> {
      await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
    },
    /** Waits until the jobs are completed or failed. */
    finished: (...jobs: string[]): Promise<void> =>
      waitFor(async () =>
        (await Promise.all(jobs.map(fixture().job))).every(({ status }) => status !== 'working'),
      ),
    /** Makes the next edit wait on the network until `finish` is called. */
    pendingEdit() {
      let finish = (_result: EditResult): void => undefined;
      const result = new Promise<EditResult>((resolve) => {
        finish = resolve;
      });
      fixture().network.respondWith(() => result);
      return {
        /** Waits until this many edits were sent. */
        sent: (count = 1) => waitFor(() => fixture().network.edits.length >= count),
        finish,
      };
    },
    publishedPost: () => fixture().aPublishedPost({ sandbox: true }),
  };
}
