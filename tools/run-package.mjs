import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs the command of an installed package in the root of the repository, and prints nothing.
 * @throws Error with the output of the command if it fails
 */
export function runPackage(command, ...args) {
  const bin = path.join(root, 'node_modules', '.bin', command);
  const child = spawn(bin, args, { cwd: root, shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    const fail = (reason) =>
      reject(new Error(`\`${[command, ...args].join(' ')}\` failed${reason}\n${output}`));
    child.once('error', ({ message }) => fail(`: ${message}`));
    child.once('close', (status) => (status === 0 ? resolve() : fail('')));
  });
}
