import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Beside the bundled files. */
const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';
/** Beside the bundled files, but not in the npm package: the same packages, for `sbom.mjs`. */
export const PACKAGES_FILE = '.packages.json';

const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** The folders of the packages that modules belong to, in the order of their paths. */
const packageFoldersOf = (moduleIds) =>
  [...new Set(moduleIds.map((id) => PACKAGE.exec(id)?.[0]).filter(Boolean))].sort();

/** Some packages name their license in the form of early versions of npm. */
const licenseOf = ({ license, licenses }) =>
  license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');

const authorOf = ({ author }) => author?.name ?? author;

const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** @throws Error if a package states no license */
function noticeOf(folder) {
  const manifest = manifestOf(folder);
  const { name, version } = manifest;
  const license = licenseOf(manifest);
  if (!license) throw new Error(`The package ${name} ${version} states no license.`);
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file) && !file.endsWith('.js'))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  const author = authorOf(manifest);
  if (texts.length === 0 && author) texts.push(`Copyright ${author}`);
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

const SEPARATOR = `\n\n${'-'.repeat(80)}\n\n`;

/**
 * Writes the licenses of the packages that bundled modules belong to, as most of them require, and
 * the list of these packages.
 */
export function writeNotices(moduleIds, to) {
  const folders = packageFoldersOf(moduleIds);
  const notices = [
    'The files in this folder contain code of the following packages.',
    ...folders.map(noticeOf),
  ];
  writeFileSync(path.join(to, NOTICES_FILE), `${notices.join(SEPARATOR)}\n`);
  const packages = folders
    .map(manifestOf)
    .map((manifest) => [`${manifest.name}@${manifest.version}`, licenseOf(manifest)]);
  writeFileSync(path.join(to, PACKAGES_FILE), JSON.stringify(Object.fromEntries(packages)));
}
