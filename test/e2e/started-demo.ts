import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DemoFile } from '../../src/demo/demo-file.js';
import { killStarted, start, until } from '../setup/started.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

/** The built gateway as a newcomer starts it, with its demo. */
export interface StartedDemo {
  readonly url: string;
  readonly demo: DemoFile;
  stop(): Promise<void>;
}

export async function startDemo(): Promise<StartedDemo> {
  const folder = temporaryFolder();
  const gateway = start({ DATA_DIR: folder, PORT: '0' });
  await until(() => gateway.output().includes('See it on its network'), gateway);
  const demo = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8')) as DemoFile;
  return {
    url: new URL(demo.graphqlUrl).origin,
    demo,
    async stop() {
      gateway.child.kill('SIGTERM');
      await gateway.exit;
      killStarted();
      removeFolder(folder);
    },
  };
}
