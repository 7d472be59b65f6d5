import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const PATIENCE_MS = 30_000;
const running = new Set<ChildProcess>();

/** A program that was started, and what it has said. */
export interface Started {
  child: ChildProcess;
  output(): string;
  errors(): string;
  exit: Promise<number | null>;
}

/** Builds, unless what is built is what is tested. */
export function buildWhatIsStarted(): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['tools/build.mjs', '--if-changed', '--quiet'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
}

/** Starts the built gateway, or another command, with nothing in its environment but what is given. */
export function start(
  env: Record<string, string>,
  [command, ...args]: [string, ...string[]] = [process.execPath, 'dist/main.js'],
): Started {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  return {
    child,
    output: () => out.join(''),
    errors: () => err.join(''),
    exit: once(child, 'close').then(([code]) => code as number | null),
  };
}

const ERROR = 50; // pino's number
/** What a program that logs JSON told of as a fault: lines of the level `error`, and lines that no log writes. */
export const faultsOf = ({ errors }: Pick<Started, 'errors'>): string[] =>
  errors()
    .split('\n')
    .filter(
      (line) =>
        line !== '' &&
        (!line.startsWith('{') || (JSON.parse(line) as { level: number }).level >= ERROR),
    );

/** Ends what a test that failed half-way has left: jest would wait for it. */
export function killStarted(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Waits until something is so. */
export async function until(
  what: () => boolean | Promise<boolean>,
  { exit, errors }: Started,
): Promise<void> {
  let gone = false;
  void exit.then(() => {
    gone = true;
  });
  const last = Date.now() + PATIENCE_MS;
  while (!(await what())) {
    if (Date.now() > last) throw new Error(`it did not come: ${errors()}`);
    if (gone) throw new Error(`it went: ${errors()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
