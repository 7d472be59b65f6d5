import type { ImportRecord } from '../../domain/imports/imported-post.js';
import { isJsonObject } from '../../domain/input/readers.js';
import { parseIncrementally } from '../incremental-parser.js';
import { catchMalformed } from '../malformed-export-error.js';
import { readUrl, readString, type JsonObject } from './activity-json.js';
import { CollectionParser, type CollectionItem } from './collection-parser.js';
import { toImportedPost } from './activitypub-note.js';
import type { SkipReason } from './skip-reasons.js';

/** Options for reading an outbox. */
export interface ReadOptions {
  /**
   * Base URL of the archive's media paths, for servers that store files elsewhere. Default: the
   * account's server.
   */
  readonly mediaUrl?: string | undefined;
  /** Maximum characters of one activity; larger ones are skipped as `too_large`. */
  readonly maxItemCharacters?: number;
}

/** Far above the length of any post: servers allow 500 characters, some 100,000. */
const MAX_ITEM_CHARACTERS = 1024 * 1024;

/**
 * Reads the outbox of a Mastodon archive as a stream, in bounded memory and only as fast as the
 * caller consumes records. A malformed item is skipped; an item truncated by the end of the file is
 * never returned.
 */
export async function* readMastodonOutbox(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<ImportRecord<SkipReason>> {
  const parser = new CollectionParser(options.maxItemCharacters ?? MAX_ITEM_CHARACTERS);
  yield* catchMalformed(
    parseIncrementally({ pass: 'whole', source, parser }, (item) => [
      toRecord(item, options.mediaUrl ?? null),
    ]),
  );
}

const REASON_BY_ACTIVITY: Readonly<Record<string, SkipReason>> = {
  Announce: 'boost',
  Delete: 'deletion',
};

function toRecord(item: CollectionItem, mediaUrl: string | null): ImportRecord<SkipReason> {
  if (item.isTooLarge) return toSkipRecord('too_large', null, item.text);
  const activity = parseJson(item.text);
  if (!isJsonObject(activity)) return toSkipRecord('unreadable', null, item.text);
  const type = readString(activity['type']);
  const outcome =
    type === 'Create'
      ? toImportedPost(activity, mediaUrl)
      : (Object.hasOwn(REASON_BY_ACTIVITY, type) && REASON_BY_ACTIVITY[type]) || 'other_activity';
  return typeof outcome === 'string'
    ? toSkipRecord(outcome, activity, item.text)
    : { kind: 'post', post: outcome };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of an item that has neither a URL nor an ID. */
const MAX_TITLE_CHARACTERS = 200;

/**
 * Uses the URL of the post as its title, so that the text of a direct message does not appear in a
 * report. URLs are not shortened.
 */
function toSkipRecord(
  reason: SkipReason,
  activity: JsonObject | null,
  text: string,
): ImportRecord<SkipReason> {
  const sourceId =
    activity === null
      ? (/"id"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? null)
      : readString(activity['id']) || null;
  const title = readUrl(activity?.['object']) || sourceId || text.slice(0, MAX_TITLE_CHARACTERS);
  return {
    kind: 'skipped',
    reason,
    sourceId,
    postType: activity === null ? null : readString(activity['type']) || null,
    title,
  };
}
