import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const CODEGEN = path.join(ROOT, 'node_modules/.bin/graphql-codegen');

it('the generated operations match the committed schema (run `npm run codegen` to update them)', () => {
  const { status, stdout } = spawnSync(CODEGEN, ['--config', 'codegen.yml', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect({ status, output: status === 0 ? '' : stdout }).toEqual({ status: 0, output: '' }); // which names the operation and what does not fit
});
