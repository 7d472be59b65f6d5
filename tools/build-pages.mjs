// Bundles the browser pages of the gateway, and writes a gzip version of each file.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { buildSchema, parse, validate } from 'graphql';
import { writeNotices } from './third-party-notices.mjs';

const PAGES = [
  'playground/playground.html',
  'sandbox-page/sandbox-page.html',
  'connect-page/connect-page.html',
  'api-docs/api-docs.html',
];

/**
 * Builds all pages.
 * @param from folder of the sources
 * @param to output folder: pages have the same paths as in `from`; their assets are in `to`/assets,
 *   named by content hash
 */
export async function buildPages({ from, to }) {
  await assertDocumentsValid(from);
  // loaded lazily, because it is slow and not needed if nothing has changed
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    root: from,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: to,
      emptyOutDir: true,
      reportCompressedSize: false,
      rolldownOptions: { input: PAGES.map((page) => path.join(from, page)) },
    },
  });
  const built = (await readdir(to, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  await Promise.all(built.map(({ parentPath, name }) => compress(path.join(parentPath, name))));
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  writeNotices(modules, to);
}

async function compress(file) {
  const compressed = await promisify(gzip)(await readFile(file), {
    level: constants.Z_BEST_COMPRESSION,
  });
  await writeFile(`${file}.gz`, compressed);
}

/** Folders of GraphQL documents that the pages send. */
const DOCUMENTS = ['playground/examples', 'connect-page/operations'];

/**
 * @throws Error if a document of a page does not match the schema; names the file and the error
 */
async function assertDocumentsValid(from) {
  const schema = buildSchema(await readFile(path.join(from, 'graphql', 'schema.graphql'), 'utf8'));
  for (const folder of DOCUMENTS)
    for (const name of await readdir(path.join(from, folder))) {
      const text = await readFile(path.join(from, folder, name), 'utf8');
      const [error] = validate(schema, parse(text));
      if (error)
        throw new Error(
          `build: the document ${folder}/${name} does not match the schema: ${error.message}`,
        );
    }
}
