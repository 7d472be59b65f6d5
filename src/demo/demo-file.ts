import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DemoKeyName } from './cast.js';

export interface DemoAddresses {
  graphqlUrl: string;
  restUrl: string;
}

/** What `demo.json` says: how to reach the gateway, and the values of the demo's keys. */
export interface DemoFile extends DemoAddresses {
  /** The owner's. */
  apiKey: string;
  workspaceId: string;
  otherWorkspaceId: string;
  keys: Record<DemoKeyName, string>;
}

/** As it is on disk: `restoring` stands in it while a reset runs, so that one that was cut short is found and ended. */
type StoredDemo = DemoFile & { restoring?: true };

const fileIn = (dataDir: string): string => path.join(dataDir, 'demo.json');

/** Null where there is none, or none that can be read: then the demo is made anew. */
export async function readDemoFile(dataDir: string): Promise<StoredDemo | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  try {
    const demo = JSON.parse(text) as StoredDemo | null;
    return demo?.workspaceId && demo.otherWorkspaceId && demo.keys ? demo : null;
  } catch {
    return null;
  }
}

/** Whole or not at all, and for nobody else's eyes: it holds keys. */
export async function writeDemoFile(dataDir: string, demo: StoredDemo): Promise<void> {
  const file = fileIn(dataDir);
  const draft = `${file}.${process.pid}.tmp`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600); // a draft that was left behind keeps its old mode otherwise
  await rename(draft, file);
}
