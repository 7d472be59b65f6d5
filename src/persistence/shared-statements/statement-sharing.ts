import pg from 'pg';

/** One statement for several calls that were made at the same time. */
export interface SharedStatement<Call, Result> {
  /**
   * Runs the statement for all calls and returns the result of each, in their order. It must not
   * wait for rows that another transaction has locked: it leaves out their calls, with undefined.
   */
  together(calls: readonly Call[]): Promise<readonly (Result | undefined)[]>;
  /** Runs a call that was left out, or whose statement was refused because of any of its calls. */
  alone(call: Call): Promise<Result>;
  /**
   * Whether the statement changes what requests read: each call ends when its user can read the
   * change from every server.
   */
  readonly changesPosts?: true;
  /** Maximum number of calls in a statement: it bounds how long their rows are locked. */
  readonly maxCalls?: number;
  /** Workspace or other origin of a call: if too many calls wait, each has the same share. */
  readonly groupOf?: (call: Call) => string;
}

interface WaitingCall<Call, Result> {
  readonly call: Call;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_CALLS = 100;
/**
 * A statement that takes longer no longer holds up the next one: it may wait for a lock of a table,
 * or for a synchronous standby.
 */
const MAX_BLOCKING_MS = 100;
/**
 * How long calls run alone after a statement was refused: the call that caused it may come again.
 */
const ALONE_AFTER_REFUSAL_MS = 60_000;

/** SQLSTATE class of a transaction that was chosen to end a deadlock or a serialization conflict. */
const TRANSACTION_ROLLBACK = '40';

/** PostgreSQL has refused the statement, so that nothing of it was committed. */
const isRefusal = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError;

/** Ends with the statement, or when it takes long. */
async function endOrTimeout(statement: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_BLOCKING_MS);
  });
  await Promise.race([statement, timeout]);
  clearTimeout(timer);
}

/** The calls of the next statement: the oldest ones, the same number for each group. */
function chooseCalls<Call, Result>(
  waiting: readonly WaitingCall<Call, Result>[],
  maxCalls: number,
  groupOf: (call: Call) => string,
): readonly WaitingCall<Call, Result>[] {
  if (waiting.length <= maxCalls) return waiting;
  const sizes = new Map<string, number>();
  const ranked = waiting.map((waitingCall) => {
    const group = groupOf(waitingCall.call);
    const rank = sizes.get(group) ?? 0;
    sizes.set(group, rank + 1);
    return { waitingCall, rank };
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxCalls)
    .map(({ waitingCall }) => waitingCall);
}

/**
 * A FROM item with the calls of a statement: the elements of the JSON array $1, as `toCallRows`
 * returns it. Because of the range, the planner expects a single row, and reads tables by index
 * even while they are small: plans are kept while tables grow.
 */
export const callRows = (columns: string): string =>
  `(SELECT * FROM json_to_recordset($1) AS c(n int, ${columns}) WHERE n BETWEEN 0 AND ${MAX_CALLS})`;

/** The calls as rows, numbered in the column `n` from 0. */
export const toCallRows = (calls: readonly object[]): string =>
  JSON.stringify(calls.map((call, n) => ({ n, ...call })));

/**
 * Lets concurrent calls share statements, and thereby round trips and commits. A call that arrives
 * while no statement runs starts one at once; those that arrive meanwhile share the next one, which
 * starts when the statement ends or takes long. Each call succeeds or fails
 * on its own. If PostgreSQL refuses a statement, its calls and those of the next minute run alone.
 * After any other error, all calls of the statement fail: it may have been executed, so that it is
 * not repeated.
 */
export function shareStatements<Call, Result>({
  together,
  alone,
  maxCalls = MAX_CALLS,
  groupOf = () => '',
}: SharedStatement<Call, Result>): (call: Call) => Promise<Result> {
  let waiting: readonly WaitingCall<Call, Result>[] = [];
  let isRunning = false;
  let aloneUntil = -Infinity;

  const runAlone = ({ call, resolve, reject }: WaitingCall<Call, Result>): void =>
    void alone(call).then(resolve, reject);

  function runAllAloneForAWhile(): void {
    aloneUntil = performance.now() + ALONE_AFTER_REFUSAL_MS;
    const all = waiting;
    waiting = [];
    all.forEach(runAlone);
  }

  async function runTogether(calls: readonly WaitingCall<Call, Result>[]): Promise<void> {
    try {
      const results = await together(calls.map(({ call }) => call));
      for (const [index, waitingCall] of calls.entries()) {
        const result = results[index];
        if (result === undefined) runAlone(waitingCall);
        else waitingCall.resolve(result);
      }
    } catch (error) {
      if (!isRefusal(error)) {
        for (const { reject } of calls) reject(error);
        return;
      }
      if (calls.length > 1 && !error.code?.startsWith(TRANSACTION_ROLLBACK)) runAllAloneForAWhile();
      calls.forEach(runAlone);
    }
  }

  async function runWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const calls = new Set(chooseCalls(waiting, maxCalls, groupOf));
      waiting = waiting.filter((waitingCall) => !calls.has(waitingCall));
      await endOrTimeout(runTogether([...calls]));
    }
    isRunning = false;
  }

  return (call) =>
    new Promise((resolve, reject) => {
      const waitingCall = { call, resolve, reject };
      if (performance.now() < aloneUntil) {
        runAlone(waitingCall);
        return;
      }
      waiting = [...waiting, waitingCall];
      if (isRunning) return;
      isRunning = true;
      // after the results that have arrived together: the calls that follow from them are ready
      // then
      setImmediate(() => void runWaiting());
    });
}
