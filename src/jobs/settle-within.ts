/** Waits for promises that never reject, but at most `timeoutMs`. */
export async function settleWithin(
  promises: Iterable<Promise<unknown>>,
  timeoutMs: number,
): Promise<void> {
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, timeoutMs).unref();
  });
  await Promise.race([Promise.all(promises), timeout]);
}
