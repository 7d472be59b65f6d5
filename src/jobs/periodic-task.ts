/**
 * Wraps a task so that it never rejects: a failure resolves to `fallback`.
 * @param onError is called for the first of several consecutive failures
 */
export function withFallback<Args extends readonly unknown[], Result>(
  task: (...args: Args) => Promise<Result>,
  fallback: Result,
  onError: (error: unknown) => void,
): (...args: Args) => Promise<Result> {
  let isFailing = false;
  return async (...args) => {
    try {
      const result = await task(...args);
      isFailing = false;
      return result;
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
      return fallback;
    }
  };
}

/** Wraps a task so that it runs on the first call, and then at most once per interval. */
export function periodically(
  intervalMs: number,
  task: () => Promise<unknown>,
): () => Promise<void> {
  let startedAt = -Infinity;
  return async () => {
    if (performance.now() - startedAt < intervalMs) return;
    startedAt = performance.now();
    await task();
  };
}
