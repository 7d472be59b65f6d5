import { POST_FIELDS } from '../../domain/posts/post-fields.js';
import type { ImportedPoll } from '../../domain/imports/imported-post.js';
import { readCount, readObjects, readString, readTime, type JsonObject } from './activity-json.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const { minimum: MIN_DAYS, maximum: MAX_DAYS } = POST_FIELDS.duration.limit;

/** Options and duration of a poll in days, rounded up (D6); null if the note is not a poll. */
export function readPoll(note: JsonObject, published: Date): ImportedPoll | null {
  const options = readChoices(note).map(readName);
  if (options.length === 0) return null;
  const end = readTime(note['endTime']) ?? readTime(note['closed']);
  const days = end === null ? null : Math.ceil((end.getTime() - published.getTime()) / DAY_MS);
  return { options, duration: days === null ? null : Math.min(MAX_DAYS, Math.max(MIN_DAYS, days)) };
}

/** Votes of each option: the replies to it. Null if the archive does not contain all of them. */
export function readPollVotes(note: JsonObject): number[] | null {
  const votes = readChoices(note).flatMap(({ replies }) => readCount(replies) ?? []);
  return votes.length > 0 && votes.length === readChoices(note).length ? votes : null;
}

const readName = ({ name }: JsonObject): string => readString(name).trim();

const readChoices = (note: JsonObject): JsonObject[] =>
  [...readObjects(note['oneOf']), ...readObjects(note['anyOf'])].filter(
    (choice) => readName(choice) !== '',
  );
