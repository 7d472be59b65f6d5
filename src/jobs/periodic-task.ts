/**
 * Wraps a task so that it runs on the first call, and then at most once per interval.
 * @param onError is called for the first of several consecutive failures
 */
export function periodically(
  intervalMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let [startedAt, isFailing] = [-Infinity, false];
  return async () => {
    if (performance.now() - startedAt < intervalMs) return;
    startedAt = performance.now();
    await task().then(
      () => {
        isFailing = false;
      },
      (error: unknown) => {
        if (!isFailing) onError(error);
        isFailing = true;
      },
    );
  };
}
