import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import {
  buildIfChanged,
  errorLinesOf,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
const folder = temporaryFolder();
let database: TestDatabase;
beforeAll(async () => {
  buildIfChanged();
  database = await testDatabase();
});
afterAll(async () => {
  killStartedPrograms();
  await database.drop();
  removeFolder(folder);
});

/** The files that a process has loaded, from the coverage that Node.js records. */
const filesLoadedBy = (coverage: string): string[] =>
  readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(path.join(coverage, file), 'utf8')) as {
      result: { url: string }[];
    };
    return result.flatMap(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : []));
  });

/** Starts a process, stops it, and returns the loaded files that contain OpenTelemetry. */
async function loadedPackages(program: string, readyText: string, env: Record<string, string>) {
  const coverage = path.join(folder, `${program}-${Object.keys(env).length}`);
  const started = startProgram(
    { DATABASE_URL: database.url, PORT: '0', NODE_V8_COVERAGE: coverage, ...env },
    [process.execPath, `dist/${program}.js`],
  );
  await waitUntil(() => started.output().includes(readyText), started);
  started.child.kill('SIGTERM');
  expect([await started.exit, errorLinesOf(started)]).toEqual([0, []]);
  const files = filesLoadedBy(coverage);
  expect(files.length).toBeGreaterThan(5);
  return files.filter((file) =>
    readFileSync(file, 'utf8').includes('node_modules/@opentelemetry/'),
  );
}

describe.each([
  ['main', 'REST v1'],
  ['worker', 'worker is running'],
])('dist/%s.js', (program, readyText) => {
  it('loads no package of OpenTelemetry without a collector', async () => {
    expect(await loadedPackages(program, readyText, {})).toEqual([]);
  });

  it('loads them with one, and stops although it is unavailable', async () => {
    expect(await loadedPackages(program, readyText, COLLECTOR)).not.toEqual([]);
  });
});
