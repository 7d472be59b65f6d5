/**
 * Asks for all who ask at once with one call, which may go on when its time is over and nobody waits for it any more:
 * what hangs is not asked again meanwhile. Where it fails or takes too long, `otherwise` is the answer.
 */
export function inTime<Value>(
  ask: () => Promise<Value>,
  { milliseconds, otherwise }: { milliseconds: number; otherwise: Value },
): () => Promise<Value> {
  let asking: Promise<Value> | undefined;
  return async () => {
    asking ??= ask()
      .catch(() => otherwise)
      .finally(() => {
        asking = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    // Where this process was itself late, the answer may lie there unread: it is taken up first.
    const late = new Promise<Value>((resolve) => {
      timer = setTimeout(() => setImmediate(() => resolve(otherwise)), milliseconds);
    });
    return Promise.race([asking, late]).finally(() => clearTimeout(timer));
  };
}
