import { DELIVERY_FAILURES, type DeliveryFailureCode } from '../../src/domain/jobs/deliveries.js';
import { JOB_RETRIES } from '../../src/domain/jobs/job-retries.js';
import { ERRORS, type ErrorCode } from '../../src/domain/errors.js';
import {
  NETWORK_FAILURES,
  type NetworkFailureCode,
} from '../../src/domain/networks/network-failures.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import { code, page, table } from './markdown.js';
import { DELIVERY_REMEDIES, ERROR_REMEDIES, NETWORK_REMEDIES } from './remedies.js';

const yes = (is: boolean): string => (is ? 'yes' : 'no');

/** docs/reference/errors.md: every code, and what to do. */
export const errorsPage = (): string =>
  page(
    'Errors',
    'Both doors have the same codes. v1 answers `{"errors": […], "code": …, "message": …}` with the status below; 429 alone is `{"error": …}`, as the interface document has it. GraphQL has the code in `errors[].extensions.code`, or, where a rule refuses a change, in `userErrors[].code` of the mutation. A GraphQL answer is 200 but for 400 where the operation cannot be run, and 401, 403, 413, 429 and 503 of the gate.',
    '## Answers',
    table(
      ['code', 'v1 status', 'meaning', 'what to do'],
      wordsOf<ErrorCode>(ERRORS).map((one) => [
        code(one),
        ERRORS[one].status,
        ERRORS[one].meaning,
        ERROR_REMEDIES[one],
      ]),
    ),
    '## Jobs: an edit that did not reach its network',
    `The codes of \`jobStatus { failures { code message } }\`; v1’s \`payload.failures\` and \`networkSync { error }\` have the message. The service keeps the edit in each case. “Tried again” is by itself: up to ${JOB_RETRIES.mostAttempts} times, with pauses of 2 s, 4 s, 8 s …`,
    table(
      ['code', 'meaning', 'tried again', 'what to do'],
      wordsOf<NetworkFailureCode>(NETWORK_FAILURES).map((one) => [
        code(one),
        NETWORK_FAILURES[one].meaning,
        yes(NETWORK_FAILURES[one].retried),
        NETWORK_REMEDIES[one],
      ]),
    ),
    '## Jobs: a notification that did not reach the webhook',
    table(
      ['code', 'meaning', 'tried again', 'what to do'],
      wordsOf<DeliveryFailureCode>(DELIVERY_FAILURES).map((one) => [
        code(one),
        DELIVERY_FAILURES[one].meaning,
        yes(DELIVERY_FAILURES[one].retried),
        DELIVERY_REMEDIES[one],
      ]),
    ),
  );
