import { CommanderError } from 'commander';
import { CliError, UsageError } from './arguments.js';
import type { Cli, CliDependencies, ContextOptions } from './cli-context.js';
import { createProgram, FAILED, toHelpArguments, USAGE_ERROR, OK } from './program.js';
import { createProgressReporter, type Terminal } from './terminal.js';

/** Runs one command. Returns its exit code (EXIT_CODES). Prints errors to standard error. */
export async function runCli(
  args: readonly string[],
  dependencies: CliDependencies,
  terminal: Terminal,
): Promise<number> {
  const isJson = (): boolean => program.opts<{ json?: boolean }>().json === true;
  let code: number = OK;
  /** An operator notices a wrong database before it is changed, or a backup of it is trusted. */
  const printDatabase = ({ readsOnly = false }: ContextOptions = {}): void => {
    if (!readsOnly) terminal.err(`Database: ${dependencies.databaseName()}`);
  };
  const cli: Cli = {
    ...dependencies,
    async withContext(work, options) {
      printDatabase(options);
      return dependencies.withContext(work, options);
    },
    async withMaintenanceContext(work, options) {
      printDatabase(options);
      return dependencies.withMaintenanceContext(work, options);
    },
    input: terminal.input,
    printResult: (result, text) => {
      terminal.status?.('');
      terminal.out(isJson() ? JSON.stringify(result) : text);
    },
    reportProgress: createProgressReporter(terminal, isJson),
    markFailed: () => {
      code = FAILED;
    },
  };
  const program = createProgram(cli, {
    writeOut: (text) => terminal.out(text.trimEnd()),
    writeErr: (text) => terminal.err(text.trimEnd()),
  });
  try {
    await program.parseAsync(
      args[0] === 'help' ? toHelpArguments(program, args.slice(1)) : [...args],
      {
        from: 'user',
      },
    );
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE_ERROR;
    terminal.status?.('');
    terminal.err(`error: ${messageOf(error)}`);
    return error instanceof UsageError ? USAGE_ERROR : FAILED;
  }
}

/** Messages for Prisma error codes that an operator can cause. */
const DATABASE_ERROR_MESSAGES: Readonly<Record<string, string>> = {
  P2002: 'the record already exists',
  P2003: 'a referenced record does not exist',
};

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as { code?: string };
  if (error instanceof CliError) return error.message;
  return DATABASE_ERROR_MESSAGES[code] ?? error.message;
}
