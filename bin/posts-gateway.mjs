#!/usr/bin/env node
// Entry point of `npx posts-gateway`. In a clone it first rebuilds if sources have changed, like
// `npm run cli`. A deployed package contains no sources and needs no build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const isClone = existsSync(pathOf('src')) && existsSync(pathOf('tools/build.mjs'));
const build = isClone
  ? spawnSync(process.execPath, [pathOf('tools/build.mjs'), '--if-changed', '--quiet'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  : { status: 0 };
if (build.status === 0) await import('../dist/cli.js');
else process.exitCode = 1;
