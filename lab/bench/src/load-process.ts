import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './load.js';
import { pinned } from './machine.js';

/** The load generator, in a separate process on a separate core. */
export interface LoadProcess {
  run(job: LoadJob): Promise<LoadResult>;
  stop(): void;
}

export function openLoadProcess(core: number | undefined): LoadProcess {
  const [program, ...args] = pinned(
    [process.execPath, fileURLToPath(new URL('load.js', import.meta.url))],
    core,
  );
  const child = spawn(program!, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const lost = (): void => reject(new Error('The load generator exited'));
        child.once('exit', lost);
        child.once('message', ({ result, error }: { result?: LoadResult; error?: string }) => {
          child.off('exit', lost);
          if (result) resolve(result);
          else reject(new Error(error));
        });
        child.send(job);
      }),
    stop: () => void child.kill(),
  };
}
