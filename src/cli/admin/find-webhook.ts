import type { WebhookManager, WebhookOutcome } from '../../services/webhooks/webhooks.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';

/** An operator manages webhooks in the role of the owner. */
export const managerOf = (workspaceId: string): WebhookManager => ({
  workspace: { id: workspaceId },
  role: 'owner',
  user: null,
});

/** @throws CliError if there is no webhook with this ID */
export async function requireManager(
  { webhookWorkspace }: CliContext,
  id: string,
): Promise<WebhookManager> {
  const workspaceId = await webhookWorkspace(id);
  if (workspaceId === null) throw new CliError(`Webhook ${JSON.stringify(id)} does not exist`);
  return managerOf(workspaceId);
}

/** The result. @throws CliError with the reasons why there is none */
export function resultOf<Result>(outcome: WebhookOutcome<Result>): Result {
  if (outcome.kind === 'refused')
    throw new CliError(outcome.refusals.map(({ message }) => message).join('\n'));
  return outcome;
}
