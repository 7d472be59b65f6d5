#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CliDependencies } from './cli/cli-context.js';
import { FAILED, OK } from './cli/program.js';
import { runCli } from './cli/run-command.js';
import { createTerminalInput } from './cli/terminal-input.js';
import { databaseName } from './composition/database-name.js';
import { readConfig } from './config/config.js';
import { loadEnvFile } from './config/env-file.js';
import { PACKAGE_ROOT } from './config/package-paths.js';

const warn = (message: string): void => console.error(message);
const { version } = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

// Loads modules on demand, so that help prints without delay.
const dependencies: CliDependencies = {
  version,
  withContext: async (work) =>
    (await import('./composition/cli/cli-context.js')).withCliContext(readConfig, warn)(work),
  withMaintenanceContext: async (work, options) =>
    (await import('./composition/cli/maintenance-context.js')).withMaintenanceContext(
      readConfig,
      warn,
    )(work, options),
  databaseName: () => databaseName(readConfig()),
  loadEnvFile: (file) => loadEnvFile(file),
  runDiagnostics: async () =>
    (await import('./composition/cli/maintenance-context.js')).createDiagnosticsRunner(
      readConfig,
    )(),
  start: async (entryPoint) => {
    await (entryPoint === 'gateway' ? import('./main.js') : import('./worker.js'));
  },
};
const status = (text: string): void => {
  process.stderr.write(`\r\u001b[2K${text}`);
};

// The output may be the only copy of a result, such as the value of a new key. EPIPE means that the
// reader has exited.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  console.error(`error: The command succeeded, but its result could not be written: ${code}`);
  process.exitCode = FAILED;
});
const code = await runCli(process.argv.slice(2), dependencies, {
  out: (line) => {
    process.stdout.write(`${line}\n`);
  },
  err: console.error,
  input: createTerminalInput(process.stdin, process.stderr),
  ...(process.stderr.isTTY ? { status } : {}),
});
if (code !== OK) process.exitCode = code;
