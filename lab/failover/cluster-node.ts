import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../test/setup/free-port.js';
import { openTcpProxy, type TcpProxy } from '../../test/setup/tcp-proxy.js';
import { postgresUser, type ClusterPrograms } from './cluster-programs.js';
import { postgresProcesses, signalPostgres } from './node-processes.js';
import { patroniConfig } from './patroni-config.js';

/** A member of the cluster, as Patroni describes it. */
export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | string;
}

/** A PostgreSQL server and the Patroni that runs it. */
export interface ClusterNode {
  readonly name: string;
  /** Port of PostgreSQL. */
  readonly port: number;
  /** Port of the health checks of Patroni. */
  readonly restPort: number;
  /** The configuration of Patroni, which `patronictl` also reads. */
  readonly configFile: string;
  start(): void;
  /** kill -9 of Patroni and PostgreSQL. */
  kill(): Promise<void>;
  /** kill -9 of PostgreSQL alone. Patroni promotes a standby, and starts this server as another. */
  crash(): void;
  /** SIGSTOP of Patroni and PostgreSQL: connections stay open, and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Cuts the connection to etcd without closing it. */
  cutOff(): void;
  reconnect(): void;
  /** The members of the cluster; undefined if Patroni does not answer. */
  members(): Promise<readonly Member[] | undefined>;
  close(): Promise<void>;
}

interface NodeOptions {
  readonly name: string;
  /** Folder of the cluster. */
  readonly parent: string;
  readonly etcdPort: number;
  readonly programs: ClusterPrograms;
}

const ANSWER_TIMEOUT_MS = 1_000;

/** Creates a node and starts it. */
export async function startNode({
  name,
  parent,
  etcdPort,
  programs,
}: NodeOptions): Promise<ClusterNode> {
  const folder = path.join(parent, name);
  const configFile = path.join(folder, 'patroni.yml');
  const dataFolder = path.join(folder, 'data');
  const log = path.join(folder, 'patroni.log');
  const [port, restPort] = [await freePort(), await freePort()];
  const etcd: TcpProxy = await openTcpProxy(etcdPort);
  const user = postgresUser();
  mkdirSync(folder);
  const { postgresFolder } = programs;
  const config = { name, folder, port, restPort, etcdPort: etcd.port, postgresFolder };
  writeFileSync(configFile, patroniConfig(config));
  if (user) for (const file of [folder, configFile]) chownSync(file, user.uid, user.gid);

  let patroni: ChildProcess;
  function start(): void {
    patroni = spawn(programs.patroni, [configFile], {
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    for (const output of [patroni.stdout!, patroni.stderr!])
      output.on('data', (text: Buffer) => appendFileSync(log, text));
  }
  async function kill(): Promise<void> {
    const exit = once(patroni, 'exit');
    const isRunning = patroni.kill('SIGKILL');
    signalPostgres(dataFolder, 'SIGKILL');
    if (isRunning) await exit;
    signalPostgres(dataFolder, 'SIGKILL'); // started by Patroni meanwhile
  }
  start();
  return {
    name,
    port,
    restPort,
    configFile,
    start,
    kill,
    crash: () => signalPostgres(dataFolder, 'SIGKILL'),
    freeze() {
      patroni.kill('SIGSTOP');
      signalPostgres(dataFolder, 'SIGSTOP');
    },
    thaw() {
      for (const pid of postgresProcesses(dataFolder)) process.kill(pid, 'SIGCONT');
      patroni.kill('SIGCONT');
    },
    cutOff: () => etcd.goSilent(),
    reconnect: () => etcd.takeOver(),
    async members() {
      try {
        const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
          signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        });
        return ((await response.json()) as { members: Member[] }).members;
      } catch {
        return undefined;
      }
    },
    async close() {
      await kill();
      await etcd.close();
    },
  };
}
