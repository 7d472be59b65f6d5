import { presentGraphqlError } from '../graphql/errors.js';
import type { ErrorPresenters } from '../http/errors.js';
import { presentRestError } from '../rest/errors.js';

/**
 * The module of each API that turns an error into a response. Neither may load a library: that
 * would delay /healthz at startup.
 */
export const ERROR_PRESENTERS: ErrorPresenters = {
  graphql: presentGraphqlError,
  rest: presentRestError,
};
