import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { findProgram } from '../../test/setup/system-program.js';

const find = (name: string, debianPackage = name): string =>
  findProgram({ neededBy: 'failover', names: [name], debianPackage });

/** The programs of a cluster. */
export interface ClusterPrograms {
  readonly patroni: string;
  readonly patronictl: string;
  readonly etcd: string;
  readonly haproxy: string;
  /** Folder with `pg_ctl`, `pg_basebackup` and `pg_rewind`. */
  readonly postgresFolder: string;
}

/** Finds the programs, or installs their Debian packages as root. */
export const clusterPrograms = (): ClusterPrograms => ({
  postgresFolder: path.dirname(find('pg_rewind', 'postgresql')),
  patroni: find('patroni'),
  patronictl: find('patronictl', 'patroni'),
  etcd: find('etcd', 'etcd-server'),
  haproxy: find('haproxy'),
});

/** The user that runs PostgreSQL, which refuses to run as root. Undefined: the user of the test. */
export function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string): number =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
