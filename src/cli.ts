#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import type { CliDependencies } from './cli/cli-context.js';
import { FAILED, OK } from './cli/program.js';
import { runCli } from './cli/run-command.js';
import { createTerminalInput } from './cli/terminal.js';
import { databaseName, readConfig } from './config/config.js';
import { loadEnvFile } from './config/env-file.js';
import { missingGatewayOptions } from './config/node-options.js';
import { readPackageVersion } from './config/package-paths.js';

const warn = (message: string): void => console.error(message);

// Loads modules on demand, so that help prints without delay.
const dependencies: CliDependencies = {
  version: readPackageVersion(),
  withContext: async (work, options) =>
    (await import('./composition/cli.js')).withCliContext(readConfig, warn)(work, options),
  withMaintenanceContext: async (work, options) =>
    (await import('./composition/cli.js')).withMaintenanceContext(readConfig, warn)(work, options),
  databaseName: () => databaseName(readConfig()),
  loadEnvFile: (file) => loadEnvFile(file),
  runDiagnostics: async () =>
    (await import('./composition/cli.js')).createDiagnosticsRunner(readConfig)(),
  start: async (entryPoint) => {
    if (entryPoint === 'worker') return void (await import('./worker.js'));
    missingGatewayOptions().forEach(setFlagsFromString);
    await import('./main.js');
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
