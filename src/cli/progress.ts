import type { Cli } from './cli-context.js';
import type { Terminal } from './terminal.js';

const BAR_WIDTH = 24;
const BAR_INTERVAL_MS = 50;
const LINE_INTERVAL_MS = 3_000;

/**
 * Reports progress as a progress bar if the terminal can overwrite lines, else as a line every few
 * seconds.
 */
export function createProgressReporter(
  { err, status }: Terminal,
  isJson: () => boolean,
): Cli['reportProgress'] {
  let printedAt = status ? -Infinity : performance.now();
  return (done, text) => {
    if (isJson() || performance.now() - printedAt < (status ? BAR_INTERVAL_MS : LINE_INTERVAL_MS))
      return;
    printedAt = performance.now();
    (status ?? err)(formatBar(done, text));
  };
}

function formatBar(done: number, text: string): string {
  const filled = Math.round(done * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${String(Math.floor(done * 100)).padStart(3)} %  ${text}`;
}
