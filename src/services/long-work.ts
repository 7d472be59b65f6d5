/** Long work of all requests has this long of each turn of the event loop. */
const SLICE_MS = 10;

interface Task {
  /** Does a step. Returns whether the work is done. */
  step(): boolean;
}

const waiting: Task[] = [];
/** What the work that was not queued took in this turn. */
let spentMs = 0;

function runSlice(): void {
  const end = performance.now() + SLICE_MS;
  while (waiting.length > 0 && performance.now() < end) {
    const task = waiting.shift()!;
    if (!task.step()) waiting.push(task);
  }
  if (waiting.length > 0) setImmediate(runSlice);
}

function enqueue(task: Task): void {
  waiting.push(task);
  if (waiting.length === 1) setImmediate(runSlice);
}

/**
 * Does work in steps, so that it does not stop other requests: at once while there is time in this
 * turn of the event loop, the rest later, in turn with the long work of others. Its promise may
 * be dropped: compiled execution does that.
 * @returns the result, or a promise of it
 */
export function inSlices<Result>(steps: Iterator<void, Result, void>): Result | Promise<Result> {
  const start = performance.now();
  if (waiting.length === 0 && spentMs < SLICE_MS) {
    if (spentMs === 0) setImmediate(() => (spentMs = 0));
    try {
      do {
        const step = steps.next();
        if (step.done) return step.value;
      } while (spentMs + performance.now() - start < SLICE_MS);
    } finally {
      spentMs += Math.max(performance.now() - start, Number.EPSILON);
    }
  }
  const promise = new Promise<Result>((resolve, reject) =>
    enqueue({
      step() {
        try {
          const { done, value } = steps.next();
          if (done) resolve(value);
          return done === true;
        } catch (error) {
          reject(error as Error);
          return true;
        }
      },
    }),
  );
  promise.catch(() => undefined);
  return promise;
}
