import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../test/setup/free-port.js';
import { removeFolder, temporaryFolder } from '../../test/setup/test-server.js';
import { waitForServer } from './wait-for-server.js';

/**
 * A server on this machine that speaks Mastodon's API: snac2, of Debian's backports. It ignores
 * idempotency keys, and deletes no statuses.
 */
export interface SnacServer {
  readonly url: string;
  /** Access token of the user `ada`. */
  readonly accessToken: string;
  /** Password of the user `ada`. */
  readonly password: string;
  /** Statuses of ada, newest first. */
  statuses(): Promise<readonly any[]>;
  stop(): Promise<void>;
}

const RELEASE = 'bookworm-backports';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Downloads the package without installing it, with lists of packages of its own. */
function unpackSnac(folder: string): string {
  if (existsSync('/usr/bin/snac')) return '/usr/bin/snac';
  process.stderr.write("Fetching Debian's snac2 …\n");
  for (const name of ['lists/partial', 'archives/partial', 'parts'])
    mkdirSync(path.join(folder, name), { recursive: true });
  const sources = path.join(folder, 'sources.list');
  writeFileSync(
    sources,
    `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${RELEASE} main\n`,
  );
  const options = {
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': path.join(folder, 'parts'),
    'Dir::State::Lists': path.join(folder, 'lists'),
    'Dir::Cache': path.join(folder, 'archives'),
  };
  const apt = (...args: string[]): void =>
    void execFileSync(
      'apt-get',
      [...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]), ...args],
      { cwd: folder, stdio: 'ignore' },
    );
  try {
    apt('update');
    apt('download', 'snac2');
  } catch {
    throw new Error(
      `test:mastodon needs the program snac, or apt-get to download Debian's package snac2 from ${RELEASE}.`,
    );
  }
  const archive = readdirSync(folder).find((name) => /^snac2_.*\.deb$/.test(name))!;
  execFileSync('dpkg-deb', ['-x', path.join(folder, archive), folder]);
  return path.join(folder, 'usr/bin/snac');
}

/** Starts the server in a temporary folder. */
export async function startSnac(): Promise<SnacServer> {
  const folder = temporaryFolder();
  const snac = unpackSnac(folder);
  const port = await freePort();
  const host = `localhost:${port}`;
  const [data, url] = [path.join(folder, 'data'), `http://${host}`];
  const run = (args: readonly string[], input = ''): string =>
    execFileSync(snac, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  run(['init', data], `127.0.0.1\n${port}\n${host}\n\n\n`);
  const settings = path.join(data, 'server.json');
  writeFileSync(
    settings,
    readFileSync(settings, 'utf8').replace(/"protocol":\s*"https"/, '"protocol": "http"'),
  );
  const password = /is (\S+)/.exec(run(['adduser', data, 'ada']))![1]!;
  const server = spawn(snac, ['httpd', data], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
    }
    removeFolder(folder);
  };
  try {
    await waitForServer(async () => (await fetch(`${url}/api/v1/instance`)).ok, 'snac');
    const accessToken = await fetchToken(url, password);
    const get = async (resource: string): Promise<any> => {
      const headers = { Authorization: `Bearer ${accessToken}` };
      return (await fetch(`${url}/api/v1${resource}`, { headers })).json();
    };
    const { id } = await get('/accounts/verify_credentials');
    const statuses = (): Promise<any> => get(`/accounts/${id}/statuses?limit=40`);
    return { url, accessToken, password, statuses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fetchToken(url: string, passwd: string): Promise<string> {
  const body = new URLSearchParams({
    login: 'ada',
    passwd,
    redir: 'urn:ietf:wg:oauth:2.0:oob',
    cid: 'posts-gateway',
    state: '',
  });
  const response = await fetch(`${url}/oauth/x-snac-get-token`, { method: 'POST', body });
  return (await response.text()).trim();
}
