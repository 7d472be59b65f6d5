import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * The real path of a data folder, which is made where it is not there.
 * @throws Error of one line, naming the folder, where it cannot be made or written
 */
export function openDataFolder(dataDir: string): string {
  try {
    makeFolder(path.resolve(dataDir));
    const folder = realpathSync(dataDir);
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK); // what is no folder has no such place in it
    return folder;
  } catch (error) {
    throw new Error(
      `The data folder ${dataDir} cannot be made or written (${(error as NodeJS.ErrnoException).code}): set DATA_DIR to one that can`,
      { cause: error },
    );
  }
}

/** Folder by folder: Node's own `recursive` goes round for ever where a file system, as /proc, says that what it will not make is not there. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // else another process has made it meanwhile
  }
}
