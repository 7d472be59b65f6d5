import type { Problem } from '../../domain/errors.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { POSITION_HEADER } from '../../http/authentication/position-header.js';
import { TEXT } from '../bodies/json-schema.js';
import type { ResponseHeader, HeaderDefinition, RawHeaders } from '../route.js';

const { idempotencyKey: MAX_IDEMPOTENCY_KEY } = REQUEST_LIMITS;

/** Request header of updates and deletions. */
export const IDEMPOTENCY_KEY: HeaderDefinition = {
  name: 'Idempotency-Key',
  description: `1 to ${MAX_IDEMPOTENCY_KEY} characters, kept for 24 hours. A repeated request with the same key and input gets the first response and changes nothing.`,
  example: 'spring-campaign-7',
  schema: { ...TEXT, minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
};
/** Request header of reads that have to see a change of another user. */
export const AFTER_POSITION: HeaderDefinition = {
  name: POSITION_HEADER,
  description:
    'Position of a change, from the response to it. The response contains the change, also if another user made it.',
  example: '16/B374D848',
};
const TRUE = { example: 'true', schema: { ...TEXT, const: 'true' } };
/** Response header of updates and deletions. */
export const REPLAYED: ResponseHeader = {
  name: 'Idempotency-Replayed',
  description:
    '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
  ...TRUE,
};
/** Response header of dry runs. */
export const DRY_RUN: ResponseHeader = {
  name: 'X-Dry-Run',
  description: '`true` if nothing was changed because the request had `dry_run=true`.',
  ...TRUE,
};

/** Reads `Idempotency-Key`. `key` is missing if it was not sent or is invalid. */
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

/** The response headers that mark dry runs and replayed responses. */
export const presentWriteHeaders = ({
  dryRun,
  replayed,
}: {
  dryRun: boolean;
  replayed: boolean;
}): Record<string, string> => ({
  ...(dryRun && { [DRY_RUN.name]: 'true' }),
  ...(replayed && { [REPLAYED.name]: 'true' }),
});
