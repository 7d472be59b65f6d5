import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const TIMEOUT_MS = 60_000;
const running = new Set<ChildProcess>();

/** A started program and its output. */
export interface StartedProgram {
  child: ChildProcess;
  output(): string;
  errors(): string;
  exit: Promise<number | null>;
}

/** Builds unless the build is up to date. */
export function buildIfChanged(): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['tools/build.mjs', '--if-changed', '--quiet'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
}

/** Starts the built gateway, or another command, with only PATH, HOME and the given environment. */
export function startProgram(
  env: Record<string, string>,
  [command, ...args]: [string, ...string[]] = [process.execPath, 'dist/main.js'],
  cwd = ROOT,
): StartedProgram {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd,
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

const ERROR_LEVEL = 50; // pino
/** Lines of level `error` in the log of a program, and lines that are not log entries. */
export const errorLinesOf = ({ errors }: Pick<StartedProgram, 'errors'>): string[] =>
  errors()
    .split('\n')
    .filter(
      (line) =>
        line !== '' &&
        (!line.startsWith('{') || (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL),
    );

/** Kills the programs that a failed test left running: jest would wait for them. */
export function killStartedPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Waits until a condition holds. @throws Error if the program exits before, or after 60 s */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { exit, errors }: StartedProgram,
): Promise<void> {
  let hasExited = false;
  void exit.then(() => {
    hasExited = true;
  });
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out: ${errors()}`);
    if (hasExited) throw new Error(`exited early: ${errors()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
