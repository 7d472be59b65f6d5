import type { RowChange, UndoLog } from './undo-log.js';

/** How the cells of one matrix are checked. */
export interface CellCheck<Cell, Forecast, Result> {
  nameOf(cell: Cell): string;
  /** What the gateway says that a change would do. */
  forecast(cell: Cell): Promise<Forecast>;
  isRefused(forecast: Forecast): boolean;
  /** The real change. */
  change(cell: Cell): Promise<Result>;
  /**
   * The contradictions between them.
   * @param changes the rows that the real change of an accepted cell has changed
   */
  compare(
    cell: Cell,
    forecast: Forecast,
    outcome: { result: Result; changes: readonly RowChange[] },
  ): readonly string[];
}

/** Counts of cells, and every contradiction, with the name of its cell. */
export interface CellResults {
  readonly refused: number;
  readonly accepted: number;
  readonly disagreements: readonly string[];
}

const CELLS_PER_ROUND = 200;
const CONCURRENCY = 8;

/** Runs a task for every item, several at a time, and returns the results in order. */
async function mapConcurrently<T, R>(items: readonly T[], task: (item: T) => Promise<R>) {
  const results: R[] = [];
  const entries = items.entries();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const [index, item] of entries) results[index] = await task(item);
    }),
  );
  return results;
}

/**
 * Checks cells in rounds. Forecasts and refused changes must change no row, so they run
 * concurrently; accepted changes run one at a time, and each is undone.
 */
export async function runCells<Cell, Forecast, Result>(
  cells: readonly Cell[],
  undoLog: UndoLog,
  check: CellCheck<Cell, Forecast, Result>,
): Promise<CellResults> {
  const disagreements: string[] = [];
  let accepted = 0;
  const report = (cell: Cell, problems: readonly string[]): void => {
    disagreements.push(...problems.map((problem) => `${check.nameOf(cell)}: ${problem}`));
  };
  /** Undoes changes that may not have happened. */
  async function assertUnchanged(what: string, round: readonly Cell[]): Promise<void> {
    const changes = await undoLog.undo();
    if (changes.length > 0)
      disagreements.push(
        `${what} changed ${JSON.stringify(changes)}; one of: ${round.map(check.nameOf).join('; ')}`,
      );
  }

  for (let start = 0; start < cells.length; start += CELLS_PER_ROUND) {
    const round = cells.slice(start, start + CELLS_PER_ROUND);
    const forecasts = await mapConcurrently(round, async (cell) => ({
      cell,
      forecast: await check.forecast(cell),
    }));
    await assertUnchanged('A dry run', round);

    const refused = forecasts.filter(({ forecast }) => check.isRefused(forecast));
    await mapConcurrently(refused, async ({ cell, forecast }) => {
      const result = await check.change(cell);
      report(cell, check.compare(cell, forecast, { result, changes: [] }));
    });
    await assertUnchanged(
      'A refused change',
      refused.map(({ cell }) => cell),
    );

    for (const { cell, forecast } of forecasts) {
      if (check.isRefused(forecast)) continue;
      accepted += 1;
      const result = await check.change(cell);
      const changes = await undoLog.undo();
      report(cell, check.compare(cell, forecast, { result, changes }));
    }
  }
  return { refused: cells.length - accepted, accepted, disagreements };
}
