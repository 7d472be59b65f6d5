// Prints the software bill of materials of the npm package, in the format CycloneDX: the packages
// that the bundle contains, and those that npm installs with it. `npm sbom` alone does not know which
// files of which packages the bundle contains.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXTERNAL } from './bundle.mjs';
import { PACKAGES_FILE } from './third-party-notices.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const DEVELOPMENT = 'cdx:npm:package:development';
const BUNDLED = 'cdx:npm:package:bundled';

const readJson = (...file) => JSON.parse(readFileSync(path.join(root, ...file), 'utf8'));

/** The licenses of bundled packages, by name and version. */
const bundled = new Map(
  ['dist', 'dist/pages'].flatMap((place) => Object.entries(readJson(place, PACKAGES_FILE))),
);
const { name, version } = readJson('package.json');

// The lockfile also has the packages of other platforms.
const sbom = JSON.parse(
  execFileSync(
    'npm',
    [
      'sbom',
      '--package-lock-only',
      '--include=dev', // npm omits them if NODE_ENV is production
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: Infinity, stdio: ['ignore', 'pipe', 'inherit'] },
  ),
);

const refOf = (component) => component['bom-ref'];
const isBundled = (component) => bundled.has(refOf(component));
const dependenciesOf = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));

/** The packages that npm installs with the package, by their refs. */
const installed = new Set();
function addInstalled(ref) {
  if (installed.has(ref)) return;
  installed.add(ref);
  dependenciesOf.get(ref)?.forEach(addInstalled);
}
dependenciesOf
  .get(refOf(sbom.metadata.component))
  .filter((ref) => EXTERNAL.includes(ref.slice(0, ref.lastIndexOf('@'))))
  .forEach(addInstalled);

/**
 * A bundled package is part of the service, although npm may take it for a tool. It has its own
 * name, although it may also be installed under an alias.
 */
const asPart = (component) =>
  isBundled(component)
    ? {
        ...component,
        name: refOf(component).slice(0, refOf(component).lastIndexOf('@')),
        scope: 'required',
        // The lockfile has no licenses in the form of early versions of npm.
        licenses: component.licenses ?? [{ license: { name: bundled.get(refOf(component)) } }],
        properties: [
          ...component.properties.filter((entry) => entry.name !== DEVELOPMENT),
          { name: BUNDLED, value: 'true' },
        ],
      }
    : component;

const components = sbom.components
  .filter((component) => isBundled(component) || installed.has(refOf(component)))
  .map(asPart);
const found = new Set(components.map(refOf));
const missing = [...bundled.keys()].filter((ref) => !found.has(ref));
if (missing.length > 0) throw new Error(`Not in package-lock.json: ${missing.join(', ')}`);

const refs = new Set([refOf(sbom.metadata.component), ...found]);
const dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));

// npm takes the name from the folder. Without a time and a random number, each build is the same.
const component = { ...sbom.metadata.component, name, version };
const { timestamp: _time, ...metadata } = sbom.metadata;
const { serialNumber: _number, ...document } = sbom;
process.stdout.write(
  `${JSON.stringify({ ...document, metadata: { ...metadata, component }, components, dependencies }, null, 2)}\n`,
);
