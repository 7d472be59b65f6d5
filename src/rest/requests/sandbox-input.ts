import { oneOf } from '../../domain/changes/patch-enums.js';
import { flag, integer } from '../../domain/input/readers.js';
import { enumKeys } from '../../domain/enums.js';
import {
  DELIVERY_GUARANTEES,
  type DeliveryGuarantee,
} from '../../domain/networks/publishing-capabilities.js';
import {
  MAX_CLOCK_ADVANCE_SECONDS,
  NO_FAULTS,
  SANDBOX_FAILURES,
  SANDBOX_LIMITS,
  SANDBOX_PUBLISH_FAULTS,
  SANDBOX_REMOVE_FAULTS,
  type SandboxFailure,
  type SandboxFaults,
  type SandboxPublishFault,
  type SandboxRemoveFault,
} from '../../domain/networks/sandbox.js';
import { BOOLEAN, withDescription, INTEGER, enumOf } from '../bodies/json-schema.js';
import { nullableReader, objectReader, type BodyReader } from './body-object-reader.js';

interface FailInput {
  code: SandboxFailure;
  times?: number | null;
}
interface PublishInput {
  fault: SandboxPublishFault;
  times?: number | null;
}
interface RemoveInput {
  fault: SandboxRemoveFault;
  times?: number | null;
}
interface FaultsInput {
  fail?: FailInput | null;
  delay_ms?: number | null;
  rate_limit_seconds?: number | null;
  token_expired?: boolean | null;
  publish?: PublishInput | null;
  remove?: RemoveInput | null;
  guarantee?: DeliveryGuarantee | null;
  list_lag_seconds?: number | null;
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

const PUBLISH_FAULTS = enumKeys<SandboxPublishFault>(SANDBOX_PUBLISH_FAULTS);
const GUARANTEES = enumKeys<DeliveryGuarantee>(DELIVERY_GUARANTEES);
const REMOVE_FAULTS = enumKeys<SandboxRemoveFault>(SANDBOX_REMOVE_FAULTS);
const CALLS = nullableReader(
  wholeNumber('Number of calls with the fault. Default: 1.', {
    minimum: 1,
    maximum: SANDBOX_LIMITS.times,
  }),
);
const PUBLISH = objectReader<PublishInput>(
  {
    fault: {
      schema: withDescription('What happens to the call that publishes.', enumOf(PUBLISH_FAULTS)),
      read: oneOf(PUBLISH_FAULTS),
    },
    times: CALLS,
  },
  ['fault'],
);
const REMOVE = objectReader<RemoveInput>(
  {
    fault: {
      schema: withDescription('What happens to the call that removes.', enumOf(REMOVE_FAULTS)),
      read: oneOf(REMOVE_FAULTS),
    },
    times: CALLS,
  },
  ['fault'],
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
  publish: nullableReader({
    ...PUBLISH,
    schema: withDescription('Affects the next calls that publish this post.', PUBLISH.schema),
  }),
  remove: nullableReader({
    ...REMOVE,
    schema: withDescription('Affects the next calls that remove this post.', REMOVE.schema),
  }),
  guarantee: nullableReader({
    schema: withDescription(
      'How reliably the network can answer whether it has a post of the account. Default: exact.',
      enumOf(GUARANTEES),
    ),
    read: oneOf(GUARANTEES),
  }),
  list_lag_seconds: nullableReader(
    wholeNumber(
      'Seconds of the sandbox clock until a new post appears in the list of the account, with the guarantee `compared`.',
      { minimum: 1, maximum: SANDBOX_LIMITS.listLagSeconds },
    ),
  ),
});

/**
 * Converts the input to a change of the faults: absent fields are unchanged, null clears a fault.
 */
export const toFaults = ({
  fail,
  delay_ms: delayMs,
  rate_limit_seconds: rateLimitSeconds,
  token_expired: tokenExpired,
  publish,
  remove,
  guarantee,
  list_lag_seconds: listLagSeconds,
}: FaultsInput): Partial<SandboxFaults> => ({
  ...(fail !== undefined && { fail: fail && { code: fail.code, times: fail.times ?? 1 } }),
  ...(delayMs !== undefined && { delayMs }),
  ...(rateLimitSeconds !== undefined && { rateLimitSeconds }),
  ...(tokenExpired !== undefined && { tokenExpired: tokenExpired ?? false }),
  ...(publish !== undefined && {
    publish: publish && { fault: publish.fault, times: publish.times ?? 1 },
  }),
  ...(remove !== undefined && {
    remove: remove && { fault: remove.fault, times: remove.times ?? 1 },
  }),
  ...(guarantee !== undefined && { guarantee: guarantee ?? NO_FAULTS.guarantee }),
  ...(listLagSeconds !== undefined && {
    listLagSeconds: listLagSeconds ?? NO_FAULTS.listLagSeconds,
  }),
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
