#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import type { Means } from './cli/cli.js';
import { FAILED, OK } from './cli/program.js';
import { runCli } from './cli/run.js';
import { createTerminalInput } from './cli/terminal-input.js';
import { readConfig } from './config/config.js';

const warn = (message: string): void => console.error(message);
const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

// Each part is loaded by the commands that need it: help is there at once.
const means: Means = {
  version,
  open: async (work) =>
    (await import('./composition/cli-context.js')).withSession(readConfig, warn)(work),
  openAsIs: async (work, how) =>
    (await import('./composition/maintenance-context.js')).withWorkbench(readConfig, warn)(
      work,
      how,
    ),
  checkUp: async () =>
    (await import('./composition/maintenance-context.js')).checkUpOn(readConfig)(),
  start: async (what) => {
    await (what === 'gateway' ? import('./main.js') : import('./worker.js'));
  },
};
const status = (text: string): void => {
  process.stderr.write(`\r\u001b[2K${text}`);
};

// What was to be told may be all there is of it, a key's value say. A reader who has gone wanted no more.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  console.error(`error: It is done, but the result could not be written: ${code}`);
  process.exitCode = FAILED;
});
const code = await runCli(process.argv.slice(2), means, {
  out: (line) => {
    process.stdout.write(`${line}\n`);
  },
  err: console.error,
  input: createTerminalInput(process.stdin, process.stderr),
  ...(process.stderr.isTTY ? { status } : {}),
});
if (code !== OK) process.exitCode = code;
