import type { VocabularyEntry } from '../enums.js';
import { NETWORK_FAILURES, type NetworkFailureCode } from '../networks/network-failures.js';
import type { ErrorSource, PublicationError } from './publication-record.js';

/**
 * What follows from a call that did not return a published post (D53, D55). `look`: it may have
 * been published, so the network is asked before anything is sent again. `retry`: it was not
 * published, and a later attempt may succeed. `reauthorize`: as soon as the account is connected
 * again. `fail`: it was not published, and a retry would not help.
 */
export type PublicationStep = 'look' | 'retry' | 'reauthorize' | 'fail';

interface PublicationFailureEntry {
  /** After a request that reached the network, or may have. */
  readonly step: PublicationStep;
  readonly source: ErrorSource;
}

/** What follows from each failure of the call that publishes (D53, D55). */
export const PUBLICATION_FAILURES = {
  NETWORK_NOT_CONNECTED: { step: 'fail', source: 'account' },
  NETWORK_POST_UNKNOWN: { step: 'fail', source: 'service' },
  NETWORK_REAUTHORIZATION_NEEDED: { step: 'reauthorize', source: 'account' },
  NETWORK_FORBIDDEN: { step: 'fail', source: 'account' },
  NETWORK_POST_DELETED: { step: 'fail', source: 'network' },
  NETWORK_CONFLICT: { step: 'look', source: 'network' },
  NETWORK_DUPLICATE: { step: 'look', source: 'user' },
  NETWORK_REFUSED: { step: 'fail', source: 'user' },
  NETWORK_RATE_LIMITED: { step: 'retry', source: 'account' },
  NETWORK_UNAVAILABLE: { step: 'look', source: 'network' },
} as const satisfies Record<NetworkFailureCode, PublicationFailureEntry>;

/** A failed call to a network. */
interface FailedCall {
  readonly code: NetworkFailureCode;
  /** The network has certainly not taken the post. */
  readonly isUnsent?: boolean;
  /** Only the operator of the service can help. */
  readonly isOperators?: boolean;
}

/** What follows from a failure of the call that publishes. */
export const stepAfterPublishing = (failure: FailedCall): PublicationStep =>
  failure.isUnsent ? stepAfterPreparing(failure) : PUBLICATION_FAILURES[failure.code].step;

/**
 * What follows from a failure before that call: nothing can have been published. The network knows
 * no duplicate then that the service has sent.
 */
export function stepAfterPreparing({ code }: FailedCall): Exclude<PublicationStep, 'look'> {
  const { step } = PUBLICATION_FAILURES[code];
  return step === 'look' ? (NETWORK_FAILURES[code].retried ? 'retry' : 'fail') : step;
}

/** The errors of a publication that do not come from a call to the network. */
export const SERVICE_FAILURES = {
  MISSED: {
    description: 'The time of the post has passed by more than the workspace allows.',
    source: 'D56',
    errorSource: 'service',
    retryable: true,
  },
  DAILY_LIMIT_EXCEEDED: {
    description: 'The daily limit of the account is used up.',
    source: 'D52',
    errorSource: 'account',
    retryable: true,
  },
  UNCONFIRMED: {
    description: 'The network did not confirm the post, and cannot tell whether it has it.',
    source: 'D54',
    errorSource: 'network',
    retryable: false,
  },
  NOT_LIVE: {
    description: 'A person said that the post is not on the network.',
    source: 'D54',
    errorSource: 'user',
    retryable: true,
  },
  NOT_THERE: {
    description: 'The network does not have the post that was sent.',
    source: 'D54',
    errorSource: 'network',
    retryable: true,
  },
  MEDIA_FETCH_FAILED: {
    description: 'A file of the post could not be fetched from its server.',
    source: 'D63',
    errorSource: 'user',
    retryable: true,
  },
  INTERNAL_SERVER_ERROR: {
    description: 'Internal error. The reason is in the server log.',
    source: 'D55',
    errorSource: 'service',
    retryable: true,
  },
} as const satisfies Record<
  string,
  VocabularyEntry & { readonly errorSource: ErrorSource; readonly retryable: boolean }
>;
export type ServiceFailureCode = keyof typeof SERVICE_FAILURES;

/** The error of a publication that the service itself ends. */
export const serviceError = (
  code: ServiceFailureCode,
  message: string = SERVICE_FAILURES[code].description,
): PublicationError => ({
  code,
  message,
  source: SERVICE_FAILURES[code].errorSource,
  retryable: SERVICE_FAILURES[code].retryable,
  field: null,
});

/** The error of a publication that a call to the network caused. */
export const networkError = (
  {
    code,
    message,
    field = null,
    isOperators = false,
  }: FailedCall & { message: string; field?: string | null },
  step: PublicationStep,
): PublicationError => ({
  code,
  message,
  source: isOperators ? 'service' : PUBLICATION_FAILURES[code].source,
  retryable: step === 'look' ? NETWORK_FAILURES[code].retried : step !== 'fail',
  field,
});
