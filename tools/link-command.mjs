// Runs after `npm ci`. npm links the commands of dependencies but not of the package itself, so
// `npx posts-gateway` would not find the command without this link.
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
const target = path.join('..', '..', 'bin', 'posts-gateway.mjs');
const link = path.join(folder, 'posts-gateway');

if (existsSync(folder)) {
  if (process.platform === 'win32') writeFileSync(`${link}.cmd`, `@node "%~dp0${target}" %*\r\n`);
  else {
    rmSync(link, { force: true });
    symlinkSync(target, link);
  }
}
