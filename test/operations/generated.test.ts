import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { recordLoads } from '../setup/load-recorder.js';

const ROOT = path.join(__dirname, '../..');

it('the generated operations match the committed schema (run `npm run codegen` to update them)', () => {
  const loads = recordLoads();
  const { status, stdout } = spawnSync('npm', ['run', '--silent', 'codegen', '--', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...loads.env },
    shell: process.platform === 'win32',
  });
  expect({ status, output: status === 0 ? '' : stdout }).toEqual({ status: 0, output: '' }); // which names the operation and what does not fit
  expect(loads.copies()).toEqual([['node_modules/graphql']]);
  loads.close();
});
