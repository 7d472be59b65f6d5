/** The first Ctrl-C lets the work end in good order; another one ends the process. */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  signals.forEach((signal) => process.once(signal, stop));
  try {
    return await work(controller.signal);
  } finally {
    signals.forEach((signal) => process.removeListener(signal, stop));
  }
}
