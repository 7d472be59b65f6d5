import { CommanderError } from 'commander';
import { CliError, MisuseError, type Cli, type Means } from './cli.js';
import { createProgram, FAILED, helpFor, MISUSED, OK } from './program.js';
import { progressOn } from './progress.js';
import type { Terminal } from './terminal.js';

/** Runs one command and gives the exit code (EXIT_CODES). Errors are one line each on the error stream. */
export async function runCli(
  args: readonly string[],
  means: Means,
  terminal: Terminal,
): Promise<number> {
  const isJson = (): boolean => program.opts<{ json?: boolean }>().json === true;
  let code: number = OK;
  const cli: Cli = {
    ...means,
    input: terminal.input,
    say: (result, text) => {
      terminal.status?.('');
      terminal.out(isJson() ? JSON.stringify(result) : text);
    },
    progress: progressOn(terminal, isJson),
    fail: () => {
      code = FAILED;
    },
  };
  const program = createProgram(cli, {
    writeOut: (text) => terminal.out(text.trimEnd()),
    writeErr: (text) => terminal.err(text.trimEnd()),
  });
  try {
    await program.parseAsync(args[0] === 'help' ? helpFor(program, args.slice(1)) : [...args], {
      from: 'user',
    });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : MISUSED;
    terminal.status?.('');
    terminal.err(`error: ${messageOf(error)}`);
    return error instanceof MisuseError ? MISUSED : FAILED;
  }
}

/** Prisma's codes for what an operator can meet, in plain words. */
const DATABASE_SAYS: Readonly<Record<string, string>> = {
  P2002: 'this exists already',
  P2003: 'something it refers to does not exist',
};

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as { code?: string };
  if (error instanceof CliError) return error.message;
  return DATABASE_SAYS[code] ?? error.message;
}
