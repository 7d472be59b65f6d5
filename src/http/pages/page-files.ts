import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A file of a page, ready to send. */
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

/** Names of bundled files, which contain a hash of the content. */
const ASSET = /^[A-Za-z0-9][\w-]*(\.[\w-]+)+$/;

/**
 * Creates readers of the bundled pages and their assets. With `isGzip` they return the compressed
 * file.
 */
export function openPageFiles(folder: string) {
  async function read(
    name: string,
    isGzip: boolean,
    caching: (bytes: Buffer) => Record<string, string>,
  ): Promise<PageFile> {
    const bytes = await readFile(path.join(folder, isGzip ? `${name}.gz` : name));
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    return {
      bytes,
      headers: {
        'Content-Type': type,
        Vary: 'Accept, Accept-Encoding',
        ...(isGzip && { 'Content-Encoding': 'gzip' }),
        ...caching(bytes),
      },
    };
  }
  return {
    /** The page in the folder of this name. */
    page: (name: string, isGzip: boolean): Promise<PageFile> =>
      read(`${name}/${name}.html`, isGzip, (bytes) => ({
        'Cache-Control': 'no-cache',
        ETag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      })),
    /** A file that pages load; null if it does not exist. */
    async asset(name: string, isGzip: boolean): Promise<PageFile | null> {
      if (!ASSET.test(name) || name.endsWith('.gz')) return null;
      return read(`assets/${name}`, isGzip, () => ({
        'Cache-Control': 'public, max-age=31536000, immutable',
      })).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
    },
  };
}
