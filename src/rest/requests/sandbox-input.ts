import { oneOf } from '../../domain/changes/patch-enums.js';
import { flag, integer } from '../../domain/input/readers.js';
import {
  MAX_CLOCK_ADVANCE_SECONDS,
  SANDBOX_FAILURES,
  SANDBOX_LIMITS,
  type SandboxFailure,
  type SandboxFaults,
} from '../../domain/networks/sandbox.js';
import { BOOLEAN, withDescription, INTEGER, enumOf } from '../bodies/json-schema.js';
import { nullableReader, objectReader, type BodyReader } from './body-object-reader.js';

interface FailInput {
  code: SandboxFailure;
  times?: number | null;
}
interface FaultsInput {
  fail?: FailInput | null;
  delay_ms?: number | null;
  rate_limit_seconds?: number | null;
  token_expired?: boolean | null;
}

const wholeNumber = (
  description: string,
  bounds: { minimum: number; maximum: number },
): BodyReader<number> => ({
  schema: withDescription(description, { ...INTEGER, ...bounds }),
  read: integer(bounds),
});

const FAIL = objectReader<FailInput>(
  {
    code: {
      schema: withDescription('The failure that the network reports.', enumOf(SANDBOX_FAILURES)),
      read: oneOf(SANDBOX_FAILURES),
    },
    times: nullableReader(
      wholeNumber('Number of edits of the post that fail. Default: 1.', {
        minimum: 1,
        maximum: SANDBOX_LIMITS.times,
      }),
    ),
  },
  ['code'],
);

/** Changes to the faults, merged like an update of a post (D20). */
export const FAULTS_READER = objectReader<FaultsInput>({
  fail: nullableReader({
    ...FAIL,
    schema: withDescription('Makes the next edits of this post fail.', FAIL.schema),
  }),
  delay_ms: nullableReader(
    wholeNumber('Delays each edit of this post by this many milliseconds.', {
      minimum: 1,
      maximum: SANDBOX_LIMITS.delayMs,
    }),
  ),
  rate_limit_seconds: nullableReader(
    wholeNumber(
      'Rejects all edits of the account as rate limited for this many seconds of the sandbox clock.',
      {
        minimum: 1,
        maximum: SANDBOX_LIMITS.rateLimitSeconds,
      },
    ),
  ),
  token_expired: nullableReader({
    schema: withDescription(
      'Whether the account’s credentials are rejected. `false` reconnects the account.',
      BOOLEAN,
    ),
    read: flag,
  }),
});

/**
 * Converts the input to a change of the faults: absent fields are unchanged, null clears a fault.
 */
export const toFaults = ({
  fail,
  delay_ms: delayMs,
  rate_limit_seconds: rateLimitSeconds,
  token_expired: tokenExpired,
}: FaultsInput): Partial<SandboxFaults> => ({
  ...(fail !== undefined && { fail: fail && { code: fail.code, times: fail.times ?? 1 } }),
  ...(delayMs !== undefined && { delayMs }),
  ...(rateLimitSeconds !== undefined && { rateLimitSeconds }),
  ...(tokenExpired !== undefined && { tokenExpired: tokenExpired ?? false }),
});

/** New state of the sandbox clock. */
export const CLOCK_READER = objectReader<{ advance_seconds: number }>(
  {
    advance_seconds: wholeNumber(
      'Seconds by which the sandbox clock is ahead of real time. `0` resets it.',
      { minimum: 0, maximum: MAX_CLOCK_ADVANCE_SECONDS },
    ),
  },
  ['advance_seconds'],
);
