import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startProgram, type StartedProgram } from '../../test/setup/started-program.js';
import { findProgram } from '../../test/setup/system-program.js';

const execute = promisify(execFile);

/** Podman, with images and containers in a temporary folder. */
export interface ContainerEngine {
  /** A temporary folder for other files, which `close` deletes. */
  readonly folder: string;
  /** Runs a command of Podman. @returns its output. @throws Error with all its output if it fails */
  run(...args: string[]): Promise<string>;
  /** Runs a command of Podman that ends later, such as `run`. */
  start(...args: string[]): StartedProgram;
  /**
   * Kills the containers, and deletes all files. Podman keeps a cache of the names of layers, of a
   * few kilobytes, in `/var/lib/containers`.
   */
  close(): Promise<void>;
}

/** Files, cgroups and limits of processes that work in a container or virtual machine, too. */
const engineSettings = (folder: string): string => `
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
runtime = "runc"
tmp_dir = "${folder}/state"
[containers]
netns = "host"
log_driver = "k8s-file"
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
`;
const storageSettings = (folder: string): string => `
[storage]
driver = "vfs"
graphroot = "${folder}/images"
runroot = "${folder}/run"
`;

/** Finds Podman and runc, or installs their Debian packages. @throws Error unless the user is root */
export function openContainerEngine(): ContainerEngine {
  if (process.getuid?.() !== 0) throw new Error('Run the image tests as root.');
  const podman = findProgram({ neededBy: 'image', names: ['podman'], debianPackage: 'podman' });
  findProgram({ neededBy: 'image', names: ['runc'], debianPackage: 'runc' });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posts-gateway-image-'));
  const files = {
    CONTAINERS_CONF: path.join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: path.join(folder, 'storage.conf'),
  };
  writeFileSync(files.CONTAINERS_CONF, engineSettings(folder));
  writeFileSync(files.CONTAINERS_STORAGE_CONF, storageSettings(folder));
  const env = { ...files, TMPDIR: folder };
  const run = (...args: string[]): Promise<string> =>
    runProgram(podman, args, { ...process.env, ...env });
  return {
    folder,
    run,
    // The log of Podman would mix with that of the container.
    start: (...args) => startProgram(env, [podman, '--log-level', 'fatal', ...args]),
    async close() {
      await run('rm', '--force', '--all', '--time', '0');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the output. @throws Error with all output if the program fails */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { env, maxBuffer: Infinity });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}
