import { ignoreBrokenPipe, onShutdown } from './composition/process-lifetime.js';
import { readConfig } from './config/config.js';
import { printSourcePositionsOfCrashes } from './log/source-stack.js';

/**
 * Time for running jobs, before they are returned to the queue. With closing the database it is
 * under SHUTDOWN_DEADLINE_MS.
 */
const DRAIN_TIMEOUT_MS = 7_000;
/** The process exits after this time, even if something hangs. */
const SHUTDOWN_DEADLINE_MS = 9_500;

async function start(): Promise<void> {
  ignoreBrokenPipe();
  printSourcePositionsOfCrashes();
  const config = readConfig();
  // These modules are slow to load: signals are handled meanwhile.
  const opening = import('./composition/worker.js').then(({ openWorkerProcess }) =>
    openWorkerProcess(config),
  );
  const shutdown = onShutdown(
    { isUnderNpm: config.isUnderNpm, deadlineMs: SHUTDOWN_DEADLINE_MS },
    () =>
      opening.then(
        (worker) => worker.close(DRAIN_TIMEOUT_MS),
        () => undefined, // opening it failed: nothing is open
      ),
  );
  const worker = await opening;
  if (shutdown.isStopping) return; // signaled before it was ready
  worker.start();
  process.stdout.write('Posts gateway worker is running.\n');
  if (worker.metricsUrl !== null)
    process.stdout.write(`  Metrics     ${worker.metricsUrl}/metrics\n`);
}

start().catch((error: Error) => {
  process.stderr.write(`posts-gateway worker: ${error.message}\n`);
  process.exit(1);
});
