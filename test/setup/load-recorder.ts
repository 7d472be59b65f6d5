import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { copiesAmong } from './shared-packages.js';
import { removeFolder, temporaryFolder } from './test-server.js';

/** Records which files programs load. Their environment needs `env`, and they have to exit. */
export interface LoadRecorder {
  readonly env: Readonly<Record<'NODE_V8_COVERAGE', string>>;
  /** For each process that loaded a shared package, the folders of its copies. */
  copies(): string[][];
  close(): void;
}

/** Coverage reports of Node.js list the files of each process. */
export function recordLoads(): LoadRecorder {
  const folder = temporaryFolder();
  const filesOf = (report: string): string[] => {
    const { result } = JSON.parse(readFileSync(path.join(folder, report), 'utf8')) as {
      result: { url: string }[];
    };
    return result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
  };
  return {
    env: { NODE_V8_COVERAGE: folder },
    copies: () =>
      readdirSync(folder)
        .map((report) => copiesAmong(filesOf(report)))
        .filter((copies) => copies.length > 0),
    close: () => removeFolder(folder),
  };
}
