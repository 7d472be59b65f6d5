#!/usr/bin/env node
import { runCli } from './cli/run.js';
import { readConfig } from './config.js';
import { withSession } from './session.js';

const status = (text: string): void => { process.stderr.write(`\r\u001b[2K${text}`); };

process.exitCode = await runCli(process.argv.slice(2), withSession(readConfig, console.error), {
  out: console.log, err: console.error, ...(process.stderr.isTTY ? { status } : {}),
});
