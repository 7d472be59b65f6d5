/**
 * Runs `work` with a signal that the first SIGINT or SIGTERM aborts. A second signal terminates the
 * process.
 */
export async function abortOnSignal<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  signals.forEach((signal) => process.once(signal, abort));
  try {
    return await work(controller.signal);
  } finally {
    signals.forEach((signal) => process.removeListener(signal, abort));
  }
}
