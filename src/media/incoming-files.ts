import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SAMPLE_BYTES, type FileSample } from '../domain/media/media-content.js';
import { FileTooLargeError } from '../domain/media/media-file.js';
import type { IncomingFiles } from '../services/media/file-storage.js';

/** Reads both ends of a file. */
async function readSample(file: string, bytes: number): Promise<FileSample> {
  const handle = await open(file);
  const readAt = async (position: number, length: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const [head, tail] = [SAMPLE_BYTES.head, SAMPLE_BYTES.tail].map((max) => Math.min(max, bytes));
    return { head: await readAt(0, head!), tail: await readAt(bytes - tail!, tail!) };
  } finally {
    await handle.close();
  }
}

/** Receives files in a folder. Those of a killed process stay there until they are discarded. */
export function createIncomingFiles(folder: string): IncomingFiles {
  return {
    async receive(content, maxBytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, randomUUID());
      const hash = createHash('sha256');
      let bytes = 0;
      async function* measured(): AsyncGenerator<Uint8Array> {
        for await (const chunk of content) {
          bytes += chunk.length;
          if (bytes > maxBytes) throw new FileTooLargeError();
          hash.update(chunk);
          yield chunk;
        }
      }
      // `flush`: on disk before it is moved to its place, so that no crash leaves a shorter file.
      const written = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
      try {
        await pipeline(measured(), written);
        return {
          path: file,
          bytes,
          sha256: hash.digest('hex'),
          ...(await readSample(file, bytes)),
        };
      } catch (error) {
        // A stream that fails early is still creating its file.
        if (!written.closed) await new Promise<void>((resolve) => written.once('close', resolve));
        await rm(file, { force: true });
        throw error;
      }
    },
    discard: (file) => rm(file.path, { force: true }),
    async discardOlderThan(before) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        const file = path.join(folder, name);
        const status = await stat(file).catch(() => null);
        if (status && status.mtime < before) await rm(file, { force: true });
      }
    },
  };
}
