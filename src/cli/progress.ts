import type { Cli } from './cli.js';
import type { Terminal } from './terminal.js';

const BAR_WIDTH = 24;
const BAR_EVERY_MS = 50;
const LINE_EVERY_MS = 3_000;

/** Tells how far a command is: as a bar that moves where lines can be overwritten, else as a line now and then. */
export function progressOn({ err, status }: Terminal, isJson: () => boolean): Cli['progress'] {
  let told = status ? -Infinity : performance.now();
  return (done, text) => {
    if (isJson() || performance.now() - told < (status ? BAR_EVERY_MS : LINE_EVERY_MS)) return;
    told = performance.now();
    (status ?? err)(barOf(done, text));
  };
}

function barOf(done: number, text: string): string {
  const filled = Math.round(done * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${String(Math.floor(done * 100)).padStart(3)} %  ${text}`;
}
