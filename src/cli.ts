#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import type { Means } from './cli/cli.js';
import { runCli } from './cli/run.js';
import { createTerminalInput } from './cli/terminal-input.js';
import { readConfig } from './config.js';

const warn = (message: string): void => console.error(message);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

// Each part is loaded by the commands that need it: help is there at once.
const means: Means = {
  version,
  open: async (work) => (await import('./session.js')).withSession(readConfig, warn)(work),
  openAsIs: async (work) => (await import('./workbench.js')).withWorkbench(readConfig, warn)(work),
  checkUp: async () => (await import('./workbench.js')).checkUpOn(readConfig)(),
  start: async (what) => { await (what === 'gateway' ? import('./main.js') : import('./worker.js')); },
};
const status = (text: string): void => { process.stderr.write(`\r\u001b[2K${text}`); };

process.exitCode = await runCli(process.argv.slice(2), means, {
  out: console.log, err: console.error, input: createTerminalInput(process.stdin, process.stderr), ...(process.stderr.isTTY ? { status } : {}),
});
