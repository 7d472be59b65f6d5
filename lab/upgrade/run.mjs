// `npm run lab -- upgrade [--from <tag or commit> --seconds 20 --seed 7]`: builds the previous
// release in a temporary folder, and runs its processes beside those of this checkout. The previous
// release is the last tag before this commit or, without tags, `config.upgradeFrom` of package.json.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const args = process.argv.slice(2);
const fileText = (folder, file) => readFileSync(path.join(folder, file), 'utf8');

/** The output of a git command; undefined if it fails. */
function git(...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
/** @throws Error with the output of the command if it fails */
function run(cwd, command, ...words) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}:\n${stdout}${stderr}`);
}

/** @throws Error of one line if this clone does not have the release */
function findRelease() {
  const given = args.includes('--from') ? args[args.indexOf('--from') + 1] : undefined;
  const name =
    given ??
    git('describe', '--tags', '--abbrev=0', 'HEAD^') ??
    JSON.parse(fileText(root, 'package.json')).config.upgradeFrom;
  const commit = git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  if (!commit)
    throw new Error(
      `test:upgrade needs the commit ${name} of the previous release, which this clone does not have: run git fetch --unshallow --tags, or give another one with --from`,
    );
  return { name, commit };
}

/** Builds the release in a folder, with the packages of this checkout if it has the same ones. */
function buildRelease(commit, folder) {
  run(root, 'sh', '-c', `git archive ${commit} | tar -x -C '${folder}'`);
  if (fileText(root, 'package-lock.json') === fileText(folder, 'package-lock.json'))
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  else run(folder, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  run(folder, process.execPath, 'tools/build.mjs', '--if-changed', '--quiet');
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'posts-gateway-release-'));
try {
  const { name, commit } = findRelease();
  process.stdout.write(`Building the previous release (${name}) …\n`);
  buildRelease(commit, folder);
  const suite = ['test/setup/run-suite.mjs', 'upgrade', ...args, '--release', folder];
  process.exitCode = spawnSync(process.execPath, suite, { cwd: root, stdio: 'inherit' }).status;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
