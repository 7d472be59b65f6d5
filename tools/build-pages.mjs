// Bundles the pages that the gateway serves to browsers, each file with its gzip beside it.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { buildSchema, parse, validate } from 'graphql';

const PAGES = ['playground/playground.html', 'api-docs/api-docs.html'];

/** `from` is the folder of the sources; the pages lie in `to` as they do there, what they load in `to`/assets, named by its content. */
export async function buildPages({ from, to }) {
  await holdExamples(from);
  const { build } = await import('vite'); // only now: where nothing has changed, nobody waits for it
  await build({
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
  await Promise.all(built.map(({ parentPath, name }) => zip(path.join(parentPath, name))));
}

async function zip(file) {
  const zipped = await promisify(gzip)(await readFile(file), {
    level: constants.Z_BEST_COMPRESSION,
  });
  await writeFile(`${file}.gz`, zipped);
}

/** @throws Error that names the example of the playground that no longer fits the schema, and why */
async function holdExamples(from) {
  const schema = buildSchema(await readFile(path.join(from, 'graphql', 'schema.graphql'), 'utf8'));
  const folder = path.join(from, 'playground', 'examples');
  for (const name of await readdir(folder)) {
    const [fault] = validate(schema, parse(await readFile(path.join(folder, name), 'utf8')));
    if (fault)
      throw new Error(`build: the playground's ${name} does not fit the schema: ${fault.message}`);
  }
}
