import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../src/persistence/database.js';
import { aPostgresServer, type PostgresServer } from '../../setup/postgres-server.js';
import { removeFolder, silentLog, temporaryFolder } from '../../setup/test-server.js';

/** The values of `sslmode` that docs/postgresql.md describes. */
let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  const [key, certificate] = [path.join(folder, 'server.key'), path.join(folder, 'server.crt')];
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate]);
  server = await aPostgresServer();
  // The server accepts only files of its own user that nobody else can read.
  const copy = (file: string): string =>
    `COPY (SELECT unnest(string_to_array('${readFileSync(file, 'utf8').trim()}', E'\\n'))) TO PROGRAM 'umask 077; cat > ${path.basename(file)}'`;
  await server.admin(copy(key), copy(certificate), 'ALTER SYSTEM SET ssl = on');
  server.kill();
  await server.start();
}, 60_000);
afterAll(async () => {
  await server.close();
  removeFolder(folder);
});

/** Whether the connection is encrypted; the error if there is none. */
async function connect(parameters: string, host: string): Promise<unknown> {
  const url = new URL(server.url());
  url.hostname = host;
  url.search = parameters.replace('CA', path.join(folder, 'server.crt'));
  try {
    const { pool, close } = await openDatabase({
      connectionString: url.href,
      poolSize: 1,
      log: silentLog,
    });
    const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await close();
    return rows[0];
  } catch (error) {
    return (error as Error).message;
  }
}

const ENCRYPTED = { ssl: true };
const UNENCRYPTED = { ssl: false };
const UNKNOWN_CA = expect.stringContaining('self-signed certificate');
const OTHER_HOST = expect.stringContaining("does not match certificate's altnames");

it.each([
  ['application_name=no-sslmode', UNENCRYPTED, UNENCRYPTED],
  ['sslmode=disable', UNENCRYPTED, UNENCRYPTED],
  ['sslmode=verify-full', UNKNOWN_CA, UNKNOWN_CA],
  ['sslmode=verify-full&sslrootcert=CA', ENCRYPTED, OTHER_HOST],
  ['sslmode=prefer', UNKNOWN_CA, UNKNOWN_CA],
  ['sslmode=require', UNKNOWN_CA, UNKNOWN_CA],
  ['sslmode=require&sslrootcert=CA', ENCRYPTED, OTHER_HOST],
  ['sslmode=verify-ca', UNKNOWN_CA, UNKNOWN_CA],
  ['sslmode=unknown', UNKNOWN_CA, UNKNOWN_CA],
  ['sslmode=no-verify', ENCRYPTED, ENCRYPTED],
  ['sslmode=require&uselibpqcompat=true', ENCRYPTED, ENCRYPTED],
  ['sslmode=verify-ca&uselibpqcompat=true&sslrootcert=CA', ENCRYPTED, ENCRYPTED],
])('%s', async (parameters, byName, byAddress) => {
  expect(await connect(parameters, 'localhost')).toEqual(byName);
  expect(await connect(parameters, '127.0.0.1')).toEqual(byAddress);
});
