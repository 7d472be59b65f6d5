import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DemoFile } from '../../src/demo/demo-file.js';
import { killStartedPrograms, startProgram, waitUntil } from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

/** The built gateway with its demo. */
export interface StartedDemo {
  readonly url: string;
  readonly demo: DemoFile;
  stop(): Promise<void>;
}

/** By default, its posts stay as they are: none is published meanwhile. */
export async function startDemo(
  settings: Readonly<Record<string, string>> = { PUBLISH_POSTS: '0' },
): Promise<StartedDemo> {
  const folder = temporaryFolder();
  const gateway = startProgram({ ...settings, DATA_DIR: folder, PORT: '0' });
  await waitUntil(() => gateway.output().includes('See it on its network'), gateway);
  const demo = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8')) as DemoFile;
  return {
    url: new URL(demo.graphqlUrl).origin,
    demo,
    async stop() {
      gateway.child.kill('SIGTERM');
      await gateway.exit;
      killStartedPrograms();
      removeFolder(folder);
    },
  };
}
