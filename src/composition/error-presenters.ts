import { presentGraphqlError } from '../graphql/errors/error-response.js';
import type { ErrorPresenters } from '../http/report-error.js';

/** How APIs word errors before they are mounted. Loads no GraphQL library: /healthz is served from the first moment. */
export const ERROR_PRESENTERS: ErrorPresenters = { graphql: presentGraphqlError };
