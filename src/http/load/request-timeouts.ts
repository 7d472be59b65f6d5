/** A request that is not answered yet. */
interface Unanswered {
  readonly startedAt: number;
}

/** From this age on it is asked whether an answer can be hoped for. With the look itself it is less than 2 s. */
const PATIENCE_MS = 1_000;
const LOOK_MS = 250;

/**
 * Gives up on requests that wait for a database which does not answer: whoever asked hears of it within 2 s (D41). One
 * that takes its time while the database is well goes on as long as it needs. Looks only while there are requests.
 * @param running requests, the oldest first
 * @param giveUp is to take the request out of `running`
 */
export function createPatience<One extends Unanswered>(
  running: Iterable<One>,
  isAnswering: () => Promise<boolean>,
  giveUp: (one: One) => void,
): { watch(): void } {
  let looking: NodeJS.Timeout | undefined;

  function overdue(): One[] {
    const last = performance.now() - PATIENCE_MS;
    const found: One[] = [];
    for (const one of running) {
      if (one.startedAt > last) break;
      found.push(one);
    }
    return found;
  }

  async function look(): Promise<void> {
    const [oldest] = running;
    if (!oldest) {
      clearInterval(looking);
      looking = undefined;
    } else if (overdue().length > 0 && !(await isAnswering())) overdue().forEach(giveUp);
  }

  return {
    watch() {
      looking ??= setInterval(() => void look(), LOOK_MS).unref();
    },
  };
}
