import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a data folder if it does not exist, and returns its real path.
 * @throws Error of one line that names the folder, if it cannot be created or written
 */
export function openDataFolder(dataDir: string): string {
  try {
    createFolder(path.resolve(dataDir));
    const folder = realpathSync(dataDir);
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK); // `/.` fails if it is not a folder
    return folder;
  } catch (error) {
    throw new Error(
      `Cannot create or write the data folder ${dataDir} (${(error as NodeJS.ErrnoException).code}): set DATA_DIR to a writable folder`,
      { cause: error },
    );
  }
}

/**
 * Creates one level at a time: Node's `recursive` loops forever on file systems such as /proc,
 * which report uncreatable folders as missing.
 */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // otherwise another process created it in the meantime
  }
}
