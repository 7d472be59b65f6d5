// Makes the package.json of the npm package: it names only the packages that npm installs with the
// bundle. `npm pack` reads package.json itself, so `write` replaces it before packing, and `restore`
// puts it back afterwards.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXTERNAL } from './bundle.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const manifestFile = path.join(root, 'package.json');
const savedFile = path.join(root, 'dist', '.package.json');

/** What concerns development only. */
const OMITTED = [
  'scripts',
  'config',
  'devDependencies',
  'overrides',
  'allowScripts',
  'scarfSettings',
];

function restore() {
  if (existsSync(savedFile)) renameSync(savedFile, manifestFile);
}

function write() {
  restore(); // if an earlier `npm pack` was interrupted
  const text = readFileSync(manifestFile, 'utf8');
  const manifest = JSON.parse(text);
  const published = {
    ...Object.fromEntries(Object.entries(manifest).filter(([key]) => !OMITTED.includes(key))),
    dependencies: Object.fromEntries(EXTERNAL.map((name) => [name, manifest.dependencies[name]])),
  };
  writeFileSync(savedFile, text);
  writeFileSync(manifestFile, `${JSON.stringify(published, null, 2)}\n`);
}

if (process.argv[2] === 'write') write();
else restore();
