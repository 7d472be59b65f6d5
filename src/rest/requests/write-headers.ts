import type { Problem } from '../../domain/errors.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { TEXT } from '../bodies/json-schema.js';
import type { AnswerHeader, HeaderNote, RawHeaders } from '../v1-route.js';

const { idempotencyKey: MAX_IDEMPOTENCY_KEY } = REQUEST_LIMITS;

/** The headers that an update and a deletion take and give alike. */
export const IDEMPOTENCY_KEY: HeaderNote = {
  name: 'Idempotency-Key',
  meaning: `1 to ${MAX_IDEMPOTENCY_KEY} characters, kept for 24 hours: a repetition with the same input gets the same answer and changes nothing (D27).`,
  example: 'spring-campaign-7',
  schema: { ...TEXT, minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
};
const TRUE = { example: 'true', schema: { ...TEXT, const: 'true' } };
export const REPLAYED: AnswerHeader = {
  name: 'Idempotency-Replayed',
  meaning: '`true` where the answer is that of an earlier request with the same Idempotency-Key.',
  ...TRUE,
};
export const DRY_RUN: AnswerHeader = {
  name: 'X-Dry-Run',
  meaning: '`true` where nothing was changed because `dry_run=true` was given.',
  ...TRUE,
};

export function readIdempotencyKey(headers: RawHeaders): {
  key?: string;
  problems: readonly Problem[];
} {
  const key = headers['idempotency-key'];
  if (key === undefined) return { problems: [] };
  if (typeof key === 'string' && key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY)
    return { key, problems: [] };
  return {
    problems: [
      { path: [IDEMPOTENCY_KEY.name], message: `must have 1 to ${MAX_IDEMPOTENCY_KEY} characters` },
    ],
  };
}

/** What an answer says of the way it came about. */
export const provenance = ({
  dryRun,
  replayed,
}: {
  dryRun: boolean;
  replayed: boolean;
}): Record<string, string> => ({
  ...(dryRun && { [DRY_RUN.name]: 'true' }),
  ...(replayed && { [REPLAYED.name]: 'true' }),
});
