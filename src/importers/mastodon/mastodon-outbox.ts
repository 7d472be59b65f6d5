import type { ImportRecord } from '../../domain/imports/imported-post.js';
import { isJsonObject } from '../../domain/input/readers.js';
import { readInPieces } from '../in-pieces.js';
import { untilMalformed } from '../malformed-export.js';
import { addressOf, textOf, type JsonObject } from './activity-json.js';
import { CollectionParser, type CollectionItem } from './collection-parser.js';
import { toImportedPost } from './note.js';
import type { SkipReason } from './skip-reasons.js';

export interface ReadOptions {
  /** The address under which the archive's media paths lie, for servers that keep their files elsewhere; the account's server without it. */
  readonly mediaAddress?: string | undefined;
  /** Characters of one activity; more are skipped as `too_large`. */
  readonly maxItemCharacters?: number;
}

/** Servers take posts of 500 characters, some of 100,000; what is larger than this is no post of a person's. */
const MAX_ITEM_CHARACTERS = 1024 * 1024;

/**
 * Reads the outbox of a Mastodon archive as a stream, in bounded memory whatever its size, and no faster than the caller
 * takes records. An item that is malformed by itself is skipped; one that the file breaks off in is never handed out.
 */
export async function* readMastodonOutbox(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<ImportRecord<SkipReason>> {
  const parser = new CollectionParser(options.maxItemCharacters ?? MAX_ITEM_CHARACTERS);
  yield* untilMalformed(
    readInPieces({ name: 'whole', source, parser }, (item) => [
      toRecord(item, options.mediaAddress ?? null),
    ]),
  );
}

const BY_ACTIVITY: Readonly<Record<string, SkipReason>> = { Announce: 'boost', Delete: 'deletion' };

function toRecord(item: CollectionItem, mediaAddress: string | null): ImportRecord<SkipReason> {
  if (item.isTooLarge) return skipped('too_large', null, item.text);
  const activity = parsed(item.text);
  if (!isJsonObject(activity)) return skipped('unreadable', null, item.text);
  const type = textOf(activity['type']);
  const outcome =
    type === 'Create'
      ? toImportedPost(activity, mediaAddress)
      : (Object.hasOwn(BY_ACTIVITY, type) && BY_ACTIVITY[type]) || 'other_activity';
  return typeof outcome === 'string'
    ? skipped(outcome, activity, item.text)
    : { kind: 'post', post: outcome };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TITLE_CHARACTERS = 200;

/** Named by the post it is about: a direct message's text is not for reports. */
function skipped(
  reason: SkipReason,
  activity: JsonObject | null,
  text: string,
): ImportRecord<SkipReason> {
  const sourceId =
    activity === null
      ? (/"id"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? null)
      : textOf(activity['id']) || null;
  const title = addressOf(activity?.['object']) || sourceId || text;
  return {
    kind: 'skipped',
    reason,
    sourceId,
    postType: activity === null ? null : textOf(activity['type']) || null,
    title: title.slice(0, TITLE_CHARACTERS),
  };
}
