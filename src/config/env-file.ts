import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/**
 * Adds the variables of a file to the environment. Variables that are set already win, as with
 * `node --env-file`.
 * @throws Error of one line if the file cannot be read
 */
export function loadEnvFile(file: string, env: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(parseEnv(readEnvFile(file)))) env[name] ??= value;
}

function readEnvFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`Could not read the environment file ${file}: ${code}`);
  }
}
