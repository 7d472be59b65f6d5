import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../src/persistence/database.js';
import { freePort } from '../../setup/free-port.js';
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
  createClientCertificate(key, certificate);
  server = await aPostgresServer();
  // The server accepts only files of its own user that nobody else can read.
  const copy = (file: string): string =>
    `COPY (SELECT unnest(string_to_array('${readFileSync(file, 'utf8').trim()}', E'\\n'))) TO PROGRAM 'umask 077; cat > ${path.basename(file)}'`;
  await server.admin(
    copy(key),
    copy(certificate),
    'ALTER SYSTEM SET ssl = on',
    "ALTER SYSTEM SET ssl_ca_file = 'server.crt'",
    `CREATE ROLE ${CERTIFIED} LOGIN`,
    `COPY (SELECT 'hostssl all ${CERTIFIED} all cert') TO PROGRAM 'cat - pg_hba.conf > new && mv new pg_hba.conf'`,
  );
  server.kill();
  await server.start();
});
afterAll(async () => {
  await server.close();
  removeFolder(folder);
});

/** A user who needs a client certificate, and no password. */
const CERTIFIED = 'certified';

/** A certificate of this user, from the authority that issued the certificate of the server. */
function createClientCertificate(authorityKey: string, authority: string): void {
  const [key, request] = [path.join(folder, 'client.key'), path.join(folder, 'client.csr')];
  const newKey = 'req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  execFileSync(
    'openssl',
    [newKey.split(' '), '-subj', `/CN=${CERTIFIED}`, '-keyout', key, '-out', request].flat(),
  );
  const signed = ['-in', request, '-CA', authority, '-CAkey', authorityKey];
  const out = path.join(folder, 'client.crt');
  const sign = 'x509 -req -days 1 -CAcreateserial'.split(' ');
  execFileSync('openssl', [...sign, ...signed, '-out', out]);
}

/** Whether the connection is encrypted; the error if there is none. */
async function connect(parameters: string, host: string): Promise<unknown> {
  const url = new URL(server.url());
  url.hostname = host;
  url.search = withFiles(parameters);
  return stateOf(url.href);
}

const withFiles = (parameters: string): string =>
  parameters
    .replace('=CLIENT-CERTIFICATE', `=${path.join(folder, 'client.crt')}`)
    .replace('=CLIENT-KEY', `=${path.join(folder, 'client.key')}`)
    .replace('=CA', `=${path.join(folder, 'server.crt')}`);

async function stateOf(connectionString: string): Promise<unknown> {
  try {
    const { pool, close } = await openDatabase({
      connectionString,
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

describe('with several hosts', () => {
  const open = async (host: string): Promise<unknown> => {
    const { port, username, password, pathname } = new URL(server.url());
    const hosts = `localhost:${await freePort()},${host}:${port}`;
    const parameters = withFiles('sslmode=verify-full&sslrootcert=CA');
    return stateOf(`postgresql://${username}:${password}@${hosts}${pathname}?${parameters}`);
  };

  it('verify-full checks the name of the host that is chosen', async () => {
    expect(await open('localhost')).toEqual(ENCRYPTED);
    expect(await open('127.0.0.1')).toEqual(OTHER_HOST);
  });
});

describe('a client certificate', () => {
  const open = (parameters: string): Promise<unknown> => {
    const { port, pathname } = new URL(server.url());
    const search = withFiles(`sslmode=verify-full&sslrootcert=CA${parameters}`);
    return stateOf(`postgresql://${CERTIFIED}@localhost:${port}${pathname}?${search}`);
  };

  it('in sslcert and sslkey identifies the user', async () => {
    expect(await open('&sslcert=CLIENT-CERTIFICATE&sslkey=CLIENT-KEY')).toEqual(ENCRYPTED);
    expect(await open('')).toEqual(
      expect.stringContaining('connection requires a valid client certificate'),
    );
  });
});
