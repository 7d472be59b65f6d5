import { presentGraphqlError } from '../graphql/errors/error-response.js';
import type { ErrorPresenters } from '../http/report-error.js';

/**
 * Presenters of errors until the APIs are mounted. Must not load a GraphQL library, which would
 * delay /healthz at startup.
 */
export const ERROR_PRESENTERS: ErrorPresenters = { graphql: presentGraphqlError };
