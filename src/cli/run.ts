import { Command, CommanderError } from 'commander';
import { CliError, type Cli } from './cli.js';
import { addChangeCommands } from './change-commands.js';
import { addDemoCommands } from './demo-commands.js';
import { addImportCommands } from './import-commands.js';
import { addJobCommands } from './job-commands.js';
import { addKeyCommands } from './key-commands.js';
import { addRecordCommands } from './record-commands.js';
import type { TerminalInput } from './terminal-input.js';

/** Where output goes, each call one line, and where answers come from. */
interface Terminal {
  readonly input: TerminalInput;
  out(line: string): void;
  err(line: string): void;
  /** Shows a text in place of the last one; only where lines can be overwritten. */
  status?(text: string): void;
}

const COMMANDS = [addDemoCommands, addImportCommands, addJobCommands, addKeyCommands, addRecordCommands, addChangeCommands];
const PROGRESS_EVERY_MS = 3_000;
const [OK, FAILED, MISUSED] = [0, 1, 2];

/** Runs one command and gives the exit code: 0 done, 1 refused or failed, 2 called wrongly. Errors are one line each on the error stream. */
export async function runCli(args: readonly string[], open: Cli['open'], terminal: Terminal): Promise<number> {
  const program = new Command('posts-gateway').description('What an operator does beside the gateway. It may run meanwhile.')
    .option('--json', 'tell results as JSON, one line')
    .configureOutput({ writeOut: (text) => terminal.out(text.trimEnd()), writeErr: (text) => terminal.err(text.trimEnd()) })
    .showSuggestionAfterError().exitOverride();
  const isJson = (): boolean => program.opts<{ json?: boolean }>().json === true;
  let code: number = OK;
  const cli: Cli = {
    open,
    input: terminal.input,
    say: (result, text) => {
      terminal.status?.('');
      terminal.out(isJson() ? JSON.stringify(result) : text);
    },
    progress: progressOn(terminal, isJson),
    fail: () => { code = FAILED; },
  };
  for (const add of COMMANDS) add(program, cli);
  inherit(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    terminal.status?.('');
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : MISUSED;
    terminal.err(`error: ${messageOf(error)}`);
    return FAILED;
  }
}

function progressOn({ err, status }: Terminal, isJson: () => boolean): Cli['progress'] {
  let told = performance.now();
  return (text) => {
    if (isJson()) return;
    if (status) status(text);
    else if (performance.now() - told >= PROGRESS_EVERY_MS) {
      told = performance.now();
      err(text);
    }
  };
}

// Commander copies settings to subcommands that it makes itself only.
function inherit(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inherit(child);
  }
}

/** Prisma's codes for what an operator can meet, in plain words. */
const DATABASE_SAYS: Readonly<Record<string, string>> = { P2002: 'this exists already', P2003: 'something it refers to does not exist' };

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as { code?: string };
  if (error instanceof CliError) return error.message;
  return DATABASE_SAYS[code] ?? error.message;
}
