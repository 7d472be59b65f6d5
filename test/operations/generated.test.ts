import { execFileSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const CODEGEN = path.join(ROOT, 'node_modules/.bin/graphql-codegen');

it('has typed operations that fit the committed schema: `npm run codegen` makes them', () => {
  const check = () => execFileSync(CODEGEN, ['--config', 'codegen.yml', '--check'], { cwd: ROOT, stdio: 'pipe', shell: process.platform === 'win32' });
  expect(check).not.toThrow();
});
