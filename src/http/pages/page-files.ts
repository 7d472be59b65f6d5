import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the build puts the pages. */
export const PAGES_DIR = fileURLToPath(new URL('../../../dist/pages', import.meta.url));

/** A file of a page, ready to be sent. */
export interface PageFile {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

/** The build names these by their content. */
const ASSET = /^[A-Za-z0-9][\w-]*(\.[\w-]+)+$/;

/** Reads built files: as they are, or as gzip where `zipped` says that the client takes it. */
export function openPageFiles(folder: string) {
  async function read(
    name: string,
    zipped: boolean,
    caching: (bytes: Buffer) => Record<string, string>,
  ): Promise<PageFile> {
    const bytes = await readFile(path.join(folder, zipped ? `${name}.gz` : name));
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    return {
      bytes,
      headers: {
        'Content-Type': type,
        Vary: 'Accept, Accept-Encoding',
        ...(zipped && { 'Content-Encoding': 'gzip' }),
        ...caching(bytes),
      },
    };
  }
  return {
    /** A page, by the name of its folder. */
    page: (name: string, zipped: boolean): Promise<PageFile> =>
      read(`${name}/${name}.html`, zipped, (bytes) => ({
        'Cache-Control': 'no-cache',
        ETag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      })),
    /** What a page loads; null where there is no such file. */
    async asset(name: string, zipped: boolean): Promise<PageFile | null> {
      if (!ASSET.test(name) || name.endsWith('.gz')) return null;
      return read(`assets/${name}`, zipped, () => ({
        'Cache-Control': 'public, max-age=31536000, immutable',
      })).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
    },
  };
}
