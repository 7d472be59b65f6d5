import { FIELD_LIMITS } from '../../domain/input/field-limits.js';
import type { ImportedPoll } from '../../domain/imports/imported-post.js';
import { objectsOf, textOf, timeOf, type JsonObject } from './activity-json.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const { minimum: SHORTEST, maximum: LONGEST } = FIELD_LIMITS.postPatch.duration;

/** A poll's options and its duration in whole days, begun ones counted (D6); null for what is no poll. */
export function readPoll(note: JsonObject, published: Date): ImportedPoll | null {
  const answers = [...objectsOf(note['oneOf']), ...objectsOf(note['anyOf'])];
  const options = answers.map(({ name }) => textOf(name).trim()).filter((name) => name !== '');
  if (options.length === 0) return null;
  const end = timeOf(note['endTime']) ?? timeOf(note['closed']);
  const days = end === null ? null : Math.ceil((end.getTime() - published.getTime()) / DAY_MS);
  return { options, duration: days === null ? null : Math.min(LONGEST, Math.max(SHORTEST, days)) };
}
