/**
 * Keeps the process running when the reader of its output, such as a log collector, has exited: an
 * unhandled EPIPE would end it.
 */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** How often the parent process is checked under npm. */
const PARENT_CHECK_MS = 250;

interface ShutdownOptions {
  readonly isUnderNpm: boolean;
  /** The process exits after this time, even if shutting down hangs. */
  readonly deadlineMs: number;
}

/**
 * Calls `shutDown` once on SIGTERM or SIGINT, and exits when it is done. Further signals have no
 * effect: exiting earlier would cut off responses and leave the embedded database server running.
 */
export function onShutdown(
  { isUnderNpm, deadlineMs }: ShutdownOptions,
  shutDown: () => Promise<void>,
): { readonly isStopping: boolean } {
  const state = { isStopping: false };
  const stop = (): void => {
    if (state.isStopping) return;
    state.isStopping = true;
    setTimeout(() => {
      process.stderr.write(
        `posts-gateway: shutting down took longer than ${deadlineMs / 1000} s. The process exits. Running requests get no response; jobs continue in another process or at the next start.\n`,
      );
      process.exit(1);
    }, deadlineMs).unref();
    void shutDown().then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  if (isUnderNpm) onOrphaned(stop);
  return state;
}

/**
 * npm runs the process in a shell that does not forward signals. When the shell exits, the parent
 * process changes.
 */
function onOrphaned(callback: () => void): void {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS).unref();
}
