import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Another process that uses the embedded server of a folder. */
export interface Neighbour {
  connectionString: string;
  fresh: boolean;
  /** Why it could not open the server, if so. */
  problem?: string;
  /** Lets it release the server and end. */
  leave(): Promise<void>;
  /** kill -9 of it and of all that shares its process group, as a closed terminal or a supervisor would do. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts a process that opens the folder's server; `as` is the user it runs as. */
export async function neighbour(
  dataDir: string,
  as: { uid?: number; gid?: number } = {},
): Promise<Neighbour> {
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
  const [answer] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => [{ problem: 'ended without an answer' }]),
  ])) as [Neighbour];
  return {
    ...answer,
    async leave() {
      child.send('leave');
      await ended;
    },
    async kill() {
      process.kill(process.platform === 'win32' ? child.pid! : -child.pid!, 'SIGKILL');
      await ended;
    },
  };
}

/** Ends what a failed test has left. */
export const killNeighbours = (): void => running.forEach((child) => child.kill('SIGKILL'));
