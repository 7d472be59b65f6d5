import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { Answer, Dialect } from '../http-client/answer.js';
import { textAt } from '../http-client/json-path.js';

/** The reasons that say more than the status they come with. */
const MEANINGS: Readonly<Record<string, NetworkFailureCode>> = {
  quotaExceeded: 'NETWORK_RATE_LIMITED',
  rateLimitExceeded: 'NETWORK_RATE_LIMITED',
  userRateLimitExceeded: 'NETWORK_RATE_LIMITED',
  dailyLimitExceeded: 'NETWORK_RATE_LIMITED',
  authError: 'NETWORK_REAUTHORIZATION_NEEDED',
  videoNotFound: 'NETWORK_POST_DELETED',
};

function exception({ json }: Answer): NetworkFailureCode | null {
  // The token service answers a refresh token that was revoked or has expired with 400.
  if (textAt(json, 'error') === 'invalid_grant') return 'NETWORK_REAUTHORIZATION_NEEDED';
  return MEANINGS[textAt(json, 'error', 'errors', 0, 'reason') ?? ''] ?? null;
}

/** How Google's interfaces say no. */
export const googleDialect = (name: string): Dialect => ({
  name,
  exception,
  words: (json) =>
    textAt(json, 'error', 'message') ?? textAt(json, 'error_description') ?? textAt(json, 'error'),
});
