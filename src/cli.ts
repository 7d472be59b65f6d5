#!/usr/bin/env node
import { runCli } from './cli/run.js';
import { createTerminalInput } from './cli/terminal-input.js';
import { readConfig } from './config.js';
import { withSession } from './session.js';

const status = (text: string): void => { process.stderr.write(`\r\u001b[2K${text}`); };

process.exitCode = await runCli(process.argv.slice(2), withSession(readConfig, console.error), {
  out: console.log, err: console.error, input: createTerminalInput(process.stdin, process.stderr), ...(process.stderr.isTTY ? { status } : {}),
});
