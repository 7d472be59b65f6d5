import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { NetworkResponse, ErrorMapping } from '../http-client/network-response.js';
import { textAt } from '../http-client/json-path.js';

/** Failures by Google's error reasons, which are more specific than the status. */
const FAILURE_CODES: Readonly<Record<string, NetworkFailureCode>> = {
  quotaExceeded: 'NETWORK_RATE_LIMITED',
  rateLimitExceeded: 'NETWORK_RATE_LIMITED',
  userRateLimitExceeded: 'NETWORK_RATE_LIMITED',
  dailyLimitExceeded: 'NETWORK_RATE_LIMITED',
  authError: 'NETWORK_REAUTHORIZATION_NEEDED',
  videoNotFound: 'NETWORK_POST_DELETED',
};

function failureCode({ json }: NetworkResponse): NetworkFailureCode | null {
  // The token endpoint returns 400 for a revoked or expired refresh token.
  if (textAt(json, 'error') === 'invalid_grant') return 'NETWORK_REAUTHORIZATION_NEEDED';
  return FAILURE_CODES[textAt(json, 'error', 'errors', 0, 'reason') ?? ''] ?? null;
}

/** Error mapping shared by all Google APIs. */
export const googleErrors = (networkName: string): ErrorMapping => ({
  networkName,
  failureCode,
  errorMessage: (json) =>
    textAt(json, 'error', 'message') ?? textAt(json, 'error_description') ?? textAt(json, 'error'),
});
