import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/setup/free-port.js';
import type { Cluster } from './cluster.js';
import { isPromoted } from './new-primary.js';

/** An HAProxy whose port always leads to the primary. */
export interface PrimaryProxy {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * HAProxy uses all servers in turn until their first checks have failed. It is ready when several
 * connections in a row lead to the primary.
 */
const CHECKED_CONNECTIONS = 6;
const POLL_MS = 20;
const GUIDE = path.resolve(__dirname, '../../docs/postgresql.md');

/** The configuration in the guide, with the addresses of this cluster. */
function configOf({ nodes }: Cluster, port: number): string {
  const [documented] = /^defaults\n[^`]*/m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  if (!documented) throw new Error(`${GUIDE} has no configuration of HAProxy`);
  return nodes.reduce(
    (config, node, index) =>
      config.replace(
        `db${index + 1}.example.com:5432 check port 8008`,
        `127.0.0.1:${node.port} check port ${node.restPort}`,
      ),
    documented.replace('127.0.0.1:5000', `127.0.0.1:${port}`),
  );
}

/** Starts HAProxy in front of the cluster. */
export async function startHaproxy(cluster: Cluster): Promise<PrimaryProxy> {
  const port = await freePort();
  const file = path.join(cluster.folder, 'haproxy.cfg');
  writeFileSync(file, configOf(cluster, port));
  const child = spawn(cluster.programs.haproxy, ['-db', '-f', file], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  for (let toPrimary = 0; toPrimary < CHECKED_CONNECTIONS;) {
    toPrimary = (await isPromoted({ port })) ? toPrimary + 1 : 0;
    await sleep(POLL_MS);
  }
  return {
    port,
    async close() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
