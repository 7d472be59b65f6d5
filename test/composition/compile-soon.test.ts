import { execFileSync } from 'node:child_process';
import { COMPILE_SOON_OPTION } from '../../src/composition/compile-soon.js';

it('has an option for this version of V8 if V8 knows it', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(COMPILE_SOON_OPTION).toBe(
    known.includes('  --interrupt-budget (') ? '--interrupt-budget=10000' : null,
  );
});
