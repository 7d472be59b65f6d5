import { word } from '../../domain/changes/patch-words.js';
import { flag, integer } from '../../domain/input/readers.js';
import {
  MOST_AHEAD_SECONDS,
  SANDBOX_FAILURES,
  SANDBOX_LIMITS,
  type SandboxFailure,
  type SandboxFaults,
} from '../../domain/networks/sandbox.js';
import { BOOLEAN, described, INTEGER, oneOf, orNull } from '../bodies/json-schema.js';
import { objectInput, type InputKey } from './object-body.js';

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

const whole = (
  meaning: string,
  bounds: { minimum: number; maximum: number },
): InputKey<number> => ({
  schema: described(meaning, { ...INTEGER, ...bounds }),
  read: integer(bounds),
});
const nullable = <T>({ schema, read }: InputKey<T>): InputKey<T> => ({
  schema: orNull(schema),
  read,
});

const FAIL = objectInput<FailInput>(
  {
    code: {
      schema: described('What the network answers with.', oneOf(SANDBOX_FAILURES)),
      read: word(SANDBOX_FAILURES),
    },
    times: nullable(
      whole('How many of the post’s next edits fail; 1 when left out.', {
        minimum: 1,
        maximum: SANDBOX_LIMITS.times,
      }),
    ),
  },
  ['code'],
);

/** Changes of the faults: a merge, as an update of a post is (D20). */
export const FAULTS_INPUT = objectInput<FaultsInput>({
  fail: nullable({
    ...FAIL,
    schema: described('Lets the next edits of this post fail.', FAIL.schema),
  }),
  delay_ms: nullable(
    whole('Lets each edit of this post take so long.', {
      minimum: 1,
      maximum: SANDBOX_LIMITS.delayMs,
    }),
  ),
  rate_limit_seconds: nullable(
    whole('Turns the account’s edits away for so long, by the sandbox’s clock.', {
      minimum: 1,
      maximum: SANDBOX_LIMITS.rateLimitSeconds,
    }),
  ),
  token_expired: nullable({
    schema: described(
      'Takes the account’s credentials no longer; false connects the account again.',
      BOOLEAN,
    ),
    read: flag,
  }),
});

/** The faults as the workshop takes them: absent keeps, null clears. */
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

export const CLOCK_INPUT = objectInput<{ advance_seconds: number }>(
  {
    advance_seconds: whole(
      'How far the sandbox’s clock is to be ahead of the real time; 0 puts it back.',
      { minimum: 0, maximum: MOST_AHEAD_SECONDS },
    ),
  },
  ['advance_seconds'],
);
