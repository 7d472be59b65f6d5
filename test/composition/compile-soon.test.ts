import { execFileSync } from 'node:child_process';
import { COMPILE_SOON_OPTIONS } from '../../src/composition/compile-soon.js';

it('has an option for this version of V8 if V8 knows it', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const options = Object.entries(COMPILE_SOON_OPTIONS);
  for (const [version, option] of options) {
    const [name] = option.split('=');
    expect(process.versions.v8.startsWith(`${version}.`)).toBe(known.includes(`  ${name} (`));
  }
  expect(options).not.toEqual([]);
});
