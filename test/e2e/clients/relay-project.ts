import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { blocksOf, ROOT } from './guide-blocks.js';

/** Script of the package that starts the compiler for this platform. */
const COMPILER = path.resolve(__dirname, '../node_modules/relay-compiler/cli.js');

/**
 * Compiles sources, by file name, in a new folder, against the committed schema, with the
 * configuration in docs/clients.md.
 * @throws Error if an operation does not match the schema
 */
export function compileRelay(folder: string, sources: Record<string, string>): void {
  const [config] = blocksOf('json');
  for (const part of ['src', 'artifacts']) mkdirSync(path.join(folder, part), { recursive: true });
  copyFileSync(path.join(ROOT, 'src/graphql/schema.graphql'), path.join(folder, 'schema.graphql'));
  for (const [name, text] of Object.entries(sources))
    writeFileSync(path.join(folder, 'src', name), text);
  writeFileSync(path.join(folder, 'relay.config.json'), config!);
  // Artifacts are ES modules.
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  execFileSync(process.execPath, [COMPILER, 'relay.config.json'], { cwd: folder, stdio: 'pipe' });
}
