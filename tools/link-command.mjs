// After `npm ci`: npm links the commands of the packages it installs, but not of the one it installs them for, and `npx posts-gateway` would find none.
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
