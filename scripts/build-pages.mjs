// Bundles the pages that the gateway serves to browsers, each file with its gzip beside it.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const PAGES = ['playground/playground.html', 'reference/reference.html'];

/** `from` is the folder of the sources; the pages lie in `to` as they do there, what they load in `to`/assets, named by its content. */
export async function buildPages({ from, to }) {
  const { build } = await import('vite'); // only now: where nothing has changed, nobody waits for it
  await build({
    configFile: false, root: from, publicDir: false, logLevel: 'error',
    build: { outDir: to, emptyOutDir: true, reportCompressedSize: false, rolldownOptions: { input: PAGES.map((page) => path.join(from, page)) } },
  });
  const built = (await readdir(to, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  await Promise.all(built.map(({ parentPath, name }) => zip(path.join(parentPath, name))));
}

async function zip(file) {
  const zipped = await promisify(gzip)(await readFile(file), { level: constants.Z_BEST_COMPRESSION });
  await writeFile(`${file}.gz`, zipped);
}
