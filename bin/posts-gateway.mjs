#!/usr/bin/env node
// `npx posts-gateway` in a clone: builds what has changed first, as `npm run cli` does. What is deployed has nothing to build from.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const place = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const isClone = existsSync(place('src')) && existsSync(place('tools/build.mjs'));
const built = isClone
  ? spawnSync(process.execPath, [place('tools/build.mjs'), '--if-changed', '--quiet'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  : { status: 0 };
if (built.status === 0) await import('../dist/cli.js');
else process.exitCode = 1;
