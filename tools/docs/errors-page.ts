import { JOB_RETRIES } from '../../src/domain/jobs/job.js';
import { ERRORS, type ErrorCode } from '../../src/domain/errors.js';
import {
  NETWORK_FAILURES,
  type NetworkFailureCode,
} from '../../src/domain/networks/network-failures.js';
import { enumKeys } from '../../src/domain/enums.js';
import { code, page, table } from './markdown.js';
import { ERROR_ADVICE, NETWORK_FAILURE_ADVICE } from './error-advice.js';

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

/** The description and, in parentheses, the HTTP statuses of the network that cause the failure. */
const withHttpStatuses = ({
  description,
  httpStatuses,
}: (typeof NETWORK_FAILURES)[NetworkFailureCode]): string =>
  httpStatuses.length === 0
    ? description
    : description.replace(/\.$/, ` (HTTP ${httpStatuses.join(', ')}).`);

/** docs/reference/errors.md: every error code and how to resolve it. */
export const errorsPage = (): string =>
  page(
    'Errors',
    'Both APIs use the same codes. v1 returns `{"errors": […], "code": …, "message": …}` with the status in the table. Only a response with 429 has the body `{"error": …}` instead. GraphQL returns the code in `errors[].extensions.code` or, if a rule rejects a change, in `userErrors[].code` of the mutation. A GraphQL request that is rejected before its operation has the HTTP status 401, 403, 413, 429 or 503, and a body that is not a GraphQL request has 400. If the operation cannot be executed, the status is 400 with `Accept: application/graphql-response+json`, and 200 with `application/json`, which is the default. Otherwise, it is 200.',
    '## Error codes',
    table(
      ['code', 'v1 status', 'description', 'what to do'],
      enumKeys<ErrorCode>(ERRORS).map((errorCode) => [
        code(errorCode),
        ERRORS[errorCode].status,
        ERRORS[errorCode].description,
        ERROR_ADVICE[errorCode],
      ]),
    ),
    '## Network edit failures',
    `If an edit does not reach the network, its job fails with one of these codes. Read the code in \`jobStatus { failures { code message } }\`. v1 returns only the message, in \`payload.failures\`. GraphQL also returns the message in \`networkSync { error }\`. The gateway keeps the edit in every case. It retries the failures whose third column is *yes*: it makes up to ${JOB_RETRIES.maxAttempts} attempts, with pauses of 2 s, 4 s, 8 s and so on.`,
    table(
      ['code', 'description', 'retried', 'what to do'],
      enumKeys<NetworkFailureCode>(NETWORK_FAILURES).map((failure) => [
        code(failure),
        withHttpStatuses(NETWORK_FAILURES[failure]),
        yesOrNo(NETWORK_FAILURES[failure].retried),
        NETWORK_FAILURE_ADVICE[failure],
      ]),
    ),
  );
