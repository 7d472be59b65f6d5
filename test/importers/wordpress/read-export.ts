import type { ImportedPost, ImportRecord } from '../../../src/domain/imports/imported-post.js';
import {
  readWordpressExport,
  type ReadOptions,
} from '../../../src/importers/wordpress/wordpress-export.js';
import { splitIntoChunks } from '../split-into-chunks.js';

/** The time of every import. */
export const NOW = new Date('2024-01-01T00:00:00Z');
type Options = Partial<ReadOptions> & { chunk?: number };

/** All records of an export, read in chunks of `chunk` bytes. */
export async function recordsOf(
  xml: string | Buffer,
  { chunk = 1 << 20, ...options }: Options = {},
): Promise<ImportRecord[]> {
  const open = () => splitIntoChunks(Buffer.from(xml), chunk);
  const records: ImportRecord[] = [];
  for await (const record of readWordpressExport(open, { now: NOW, ...options }))
    records.push(record);
  return records;
}

/** The records without progress. */
export const outcomesOf = async (
  xml: string | Buffer,
  options?: Options,
): Promise<ImportRecord[]> =>
  (await recordsOf(xml, options)).filter(({ kind }) => kind !== 'progress');

export const postsOf = async (xml: string, options?: Options): Promise<ImportedPost[]> =>
  (await recordsOf(xml, options)).flatMap((record) =>
    record.kind === 'post' ? [record.post] : [],
  );
