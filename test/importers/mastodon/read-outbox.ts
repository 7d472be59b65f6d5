import type { ImportedPost, ImportRecord } from '../../../src/domain/imports/imported-post.js';
import {
  readMastodonOutbox,
  type ReadOptions,
} from '../../../src/importers/mastodon/mastodon-outbox.js';
import { createOf, outboxOf } from '../../fixtures/small-outbox.js';
import { splitIntoChunks } from '../split-into-chunks.js';

type Options = ReadOptions & { chunk?: number };

/** All records of an outbox, read in chunks of `chunk` bytes. */
export async function recordsOf(
  json: string | Buffer,
  { chunk = 1 << 20, ...options }: Options = {},
): Promise<ImportRecord[]> {
  const source = splitIntoChunks(Buffer.from(json), chunk);
  const records: ImportRecord[] = [];
  for await (const record of readMastodonOutbox(source, options)) records.push(record);
  return records;
}

/** The records without progress. */
export const outcomesOf = async (
  json: string | Buffer,
  options?: Options,
): Promise<ImportRecord[]> =>
  (await recordsOf(json, options)).filter(({ kind }) => kind !== 'progress');

export const postsOf = async (json: string | Buffer, options?: Options): Promise<ImportedPost[]> =>
  (await recordsOf(json, options)).flatMap((record) =>
    record.kind === 'post' ? [record.post] : [],
  );

/** The post of a note with these fields. */
export const postOf = async (
  fields: Record<string, unknown>,
  options?: Options,
): Promise<ImportedPost> => (await postsOf(outboxOf(createOf(fields)), options))[0]!;
