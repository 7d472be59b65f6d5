import type { Problem } from '../../domain/errors.js';
import { webUrl } from '../../domain/input/text-readers.js';
import { redeliveryProblem, WEBHOOK_LIMITS } from '../../domain/webhooks/webhook.js';
import { badUserInput } from '../connection/connection.js';
import type {
  CreateWebhookInput,
  RedeliverWebhooksInput,
  UpdateWebhookInput,
} from './webhook-inputs.type.js';

const readUrl = webUrl({ maxLength: WEBHOOK_LIMITS.urlLength });

const problem = (field: string, message: string): Problem => ({
  path: ['input', field],
  message: `${field} ${message}`,
});

function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw badUserInput(problems);
}

/** @throws GatewayError BAD_USER_INPUT for a malformed URL, or no types */
export function assertWebhook({
  url,
  types,
}: Pick<CreateWebhookInput, 'url' | 'types'> | Pick<UpdateWebhookInput, 'url' | 'types'>): void {
  const problems: Problem[] = [];
  if (url != null) readUrl(url, ['input', 'url'], problems);
  if (types?.length === 0) problems.push(problem('types', 'must have at least one type.'));
  assertNoProblems(problems);
}

/** @throws GatewayError BAD_USER_INPUT for hours out of range */
export function assertGraceHours(hours: number): void {
  const { max } = WEBHOOK_LIMITS.graceHours;
  if (hours < 0 || hours > max)
    assertNoProblems([problem('graceHours', `must be 0 to ${max}, got ${hours}.`)]);
}

/** @throws GatewayError BAD_USER_INPUT unless it has either delivery IDs or a time */
export function assertRedelivery({
  deliveryIds = null,
  since = null,
}: RedeliverWebhooksInput): void {
  const found = redeliveryProblem({ deliveryIds, since });
  if (found) assertNoProblems([problem(found.field, `${found.message}.`)]);
}
