import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DemoKeyName } from './demo-users.js';

/** URLs of the running gateway. */
export interface DemoAddresses {
  graphqlUrl: string;
  restUrl: string;
}

/** Content of `demo.json`: the URLs of the gateway and the values of the demo's API keys. */
export interface DemoFile extends DemoAddresses {
  /** API key of the owner. */
  apiKey: string;
  workspaceId: string;
  otherWorkspaceId: string;
  keys: Record<DemoKeyName, string>;
}

/**
 * The file on disk. `restoring` is set during a reset, so that the next start completes an
 * interrupted one.
 */
type StoredDemo = DemoFile & { restoring?: true };

const demoFilePath = (dataDir: string): string => path.join(dataDir, 'demo.json');

/** Returns null if the file does not exist or is malformed: the demo is then created again. */
export async function readDemoFile(dataDir: string): Promise<StoredDemo | null> {
  const text = await readFile(demoFilePath(dataDir), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  try {
    const demo = JSON.parse(text) as StoredDemo | null;
    return demo?.workspaceId && demo.otherWorkspaceId && demo.keys ? demo : null;
  } catch {
    return null;
  }
}

/** Writes the file atomically, readable by its owner only because it contains keys. */
export async function writeDemoFile(dataDir: string, demo: StoredDemo): Promise<void> {
  const file = demoFilePath(dataDir);
  const temporaryFile = `${file}.${process.pid}.tmp`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(temporaryFile, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporaryFile, 0o600); // a file left by an interrupted write keeps its old mode
  await rename(temporaryFile, file);
}
