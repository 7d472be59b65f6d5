import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Another process that uses the embedded server of a folder. */
export interface OtherProcess {
  connectionString: string;
  isNew: boolean;
  /** Why it could not open the server. */
  problem?: string;
  /** Makes it release the server and end. */
  release(): Promise<void>;
  /** Sends SIGKILL to its process group, like a closed terminal or a supervisor. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts a process that opens the server of a folder; `as` is the account that it runs as. */
export async function startOtherProcess(
  dataDir: string,
  as: { uid?: number; gid?: number } = {},
): Promise<OtherProcess> {
  const child = fork(path.join(__dirname, 'embedded-child.cjs'), [dataDir], {
    detached: true,
    execArgv: [],
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...as,
  });
  running.add(child);
  const ended = once(child, 'exit').then(() => {
    running.delete(child);
  });
  const [message] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => [{ problem: 'ended without a message' }]),
  ])) as [OtherProcess];
  return {
    ...message,
    async release() {
      child.send('release');
      await ended;
    },
    async kill() {
      process.kill(process.platform === 'win32' ? child.pid! : -child.pid!, 'SIGKILL');
      await ended;
    },
  };
}

/** Ends processes that a failed test left running. */
export const killOtherProcesses = (): void => running.forEach((child) => child.kill('SIGKILL'));
