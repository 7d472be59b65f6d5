// Links commands into node_modules/.bin, where `npx` and the scripts of npm find them.
//
// `node tools/link-command.mjs` runs after `npm ci`: npm links the commands of dependencies but not
// that of the package itself. `node tools/link-command.mjs codegen` runs before `npm run codegen`:
// the code generator is installed in test/operations, and looks for its plugins next to codegen.yml.
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const GENERATOR = path.join('..', 'test', 'operations', 'node_modules', '@graphql-codegen');

/** Links a command to a program, whose path is relative to node_modules/.bin. */
function linkCommand(name, program) {
  const link = path.join(NODE_MODULES, '.bin', name);
  if (process.platform === 'win32') writeFileSync(`${link}.cmd`, `@node "%~dp0${program}" %*\r\n`);
  else replaceLink(link, program);
}

function replaceLink(link, target) {
  rmSync(link, { force: true, recursive: true });
  // Windows resolves the target of a junction against the current folder
  if (process.platform !== 'win32') symlinkSync(target, link);
  else symlinkSync(path.resolve(path.dirname(link), target), link, 'junction');
}

if (process.argv[2] === 'codegen') {
  replaceLink(path.join(NODE_MODULES, '@graphql-codegen'), GENERATOR);
  linkCommand('graphql-codegen', path.join('..', GENERATOR, 'cli', 'esm', 'bin.js'));
} else if (existsSync(path.join(NODE_MODULES, '.bin'))) {
  linkCommand('posts-gateway', path.join('..', '..', 'bin', 'posts-gateway.mjs'));
}
