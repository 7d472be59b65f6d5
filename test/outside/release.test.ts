import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildIfChanged } from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const ROOT = path.resolve(__dirname, '../..');
const folder = temporaryFolder();

jest.setTimeout(240_000);
beforeAll(buildIfChanged);
afterAll(() => removeFolder(folder));

function npm(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: Infinity,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Copies the sources, without what was built, to a folder with the same packages. */
function cloneTo(clone: string): void {
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  for (const file of files.split('\0').filter((name) => /^(?!test\/|docs\/)./.test(name)))
    cpSync(path.join(ROOT, file), path.join(clone, file));
  // Links: the packages take hundreds of megabytes.
  execFileSync('cp', ['-al', path.join(ROOT, 'node_modules'), clone]);
}

/** Packs in a folder, and returns the hash of the package. */
function hashOfPackage(cwd: string, to: string, env: Record<string, string> = {}): string {
  mkdirSync(to);
  const output = npm(cwd, ['pack', '--json', `--pack-destination=${to}`], env);
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('['))) as [{ filename: string }];
  return createHash('sha256')
    .update(readFileSync(path.join(to, filename)))
    .digest('hex');
}

it('two builds, in different folders and environments, make the same package', () => {
  const clone = path.join(folder, 'a-clone-with-a-longer-path');
  cloneTo(clone);
  const environment = { TZ: 'Pacific/Auckland', LC_ALL: 'C', NODE_ENV: 'development' };
  expect(hashOfPackage(clone, path.join(folder, 'first'), environment)).toBe(
    hashOfPackage(ROOT, path.join(folder, 'second')),
  );
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}
interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe('npm run sbom', () => {
  const sbom = (): Sbom => JSON.parse(npm(ROOT, ['run', '-s', 'sbom'])) as Sbom;
  const { name, version } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Sbom['metadata']['component'];

  /** The packages whose licenses are part of the package. */
  const notices = new Set(
    ['dist', 'dist/pages'].flatMap((place) =>
      [
        ...readFileSync(path.join(ROOT, place, 'THIRD-PARTY-NOTICES.txt'), 'utf8').matchAll(
          /(?<=-{80}\n\n)(\S+) (\S+) \(.+\)$/gm,
        ),
      ].map(([, bundled, at]) => `${bundled}@${at}`),
    ),
  );
  /** What npm installs with the package, on any platform, by the lockfile. */
  const installed = Object.entries(
    (
      JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, { version: string; dev?: true; devOptional?: true }>;
      }
    ).packages,
  )
    .filter(([place, { dev }]) => place !== '' && !dev)
    .map(([place, entry]) => `${place.replace(/^.*node_modules\//, '')}@${entry.version}`);

  it('lists the packages in the bundle and those that npm installs, and no others', () => {
    const { bomFormat, metadata, components, dependencies } = sbom();
    expect([bomFormat, metadata.component]).toEqual([
      'CycloneDX',
      expect.objectContaining({ name, version, type: 'application' }),
    ]);
    expect(notices.size).toBeGreaterThan(200);
    const listed = components.map((component) => `${component.name}@${component.version}`);
    expect(new Set(listed)).toEqual(new Set([...notices, ...installed]));
    const marked = components.filter(({ properties }) =>
      properties.some((property) => property.name === 'cdx:npm:package:bundled'),
    );
    expect(new Set(marked.map((component) => `${component.name}@${component.version}`))).toEqual(
      notices,
    );
    expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
    const refs = new Set(dependencies.map(({ ref }) => ref));
    expect(
      dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref)),
    ).toEqual([]);
  });
});
