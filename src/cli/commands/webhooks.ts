import { InvalidArgumentError, type Command, type Option } from 'commander';
import { enumKeys } from '../../domain/enums.js';
import { EVENT_TYPES, type EventType } from '../../domain/events/event.js';
import {
  WEBHOOK_STATUSES,
  WEBHOOK_LIMITS,
  type WebhookStatus,
  type Webhook,
} from '../../domain/webhooks/webhook.js';
import type { WebhookManager, WebhookOutcome } from '../../services/webhooks/webhooks.js';
import { UsageError, readTime, CliError, choiceOption } from '../arguments.js';
import type { Cli, CliContext } from '../cli-context.js';
import { formatMinute } from '../terminal.js';
import { assertWorkspaceExists, listRecords, formatRecords, type RecordTable } from './records.js';

/** Adds the commands that manage webhooks, in the role of the workspace’s owner. */
export function addWebhookCommands(program: Command, cli: Cli): void {
  const webhooks = program.command('webhooks').description('manage the webhooks of a workspace');
  addListWebhooks(webhooks, cli);
  addCreateWebhook(webhooks, cli);
  addUpdateWebhook(webhooks, cli);
  addDeleteWebhook(webhooks, cli);
  addRotateSecret(webhooks, cli);
  addTestWebhook(webhooks, cli);
  addListDeliveries(webhooks, cli);
  addRedeliver(webhooks, cli);
}

const typesOption = (description: string): Option =>
  choiceOption('--types <types...>', description, enumKeys<EventType>(EVENT_TYPES));

const WEBHOOKS: RecordTable<Webhook> = {
  none: 'There are no webhooks.',
  columns: {
    id: ({ id }) => id,
    status: ({ status }) => status,
    created: ({ createdAt }) => formatMinute(createdAt),
    url: ({ url }) => url,
    types: ({ types }) => types.join(' '),
  },
};

function addListWebhooks(webhooks: Command, cli: Cli): void {
  webhooks
    .command('list')
    .description('list the webhooks of a workspace, oldest first')
    .requiredOption('--workspace <id>', 'ID of the workspace (wks_…)')
    .action(({ workspace }: { workspace: string }) =>
      listRecords(
        cli,
        async (context) => {
          await assertWorkspaceExists(context.admin, workspace);
          return context.webhooks.list(managerOf(workspace));
        },
        WEBHOOKS,
      ),
    );
}

function addCreateWebhook(webhooks: Command, { withContext, printResult }: Cli): void {
  webhooks
    .command('create')
    .description('create a webhook and print its secret, which is shown only once')
    .requiredOption('--workspace <id>', 'ID of the workspace (wks_…)')
    .requiredOption('--url <url>', 'public https URL of the receiver')
    .addOption(typesOption('types of the events to send').makeOptionMandatory())
    .action(({ workspace, url, types }: { workspace: string; url: string; types: EventType[] }) =>
      withContext(async (context) => {
        await assertWorkspaceExists(context.admin, workspace);
        const { webhook, secret } = resultOf(
          await context.webhooks.create(managerOf(workspace), { url, types }),
        );
        printResult({ ...webhook, secret }, `Created ${webhook.id}. Secret: ${secret}`);
      }),
    );
}

interface UpdateOptions {
  url?: string;
  types?: EventType[];
  status?: WebhookStatus;
}

function addUpdateWebhook(webhooks: Command, { withContext, printResult }: Cli): void {
  webhooks
    .command('update')
    .description('change the URL or the types of a webhook, or disable or enable it')
    .argument('<id>', 'ID of the webhook (whk_…)')
    .option('--url <url>', 'public https URL of the receiver')
    .addOption(typesOption('types of the events to send, instead of the current ones'))
    .addOption(
      choiceOption(
        '--status <status>',
        'whether the webhook sends events',
        enumKeys<WebhookStatus>(WEBHOOK_STATUSES),
      ),
    )
    .action(async (id: string, options: UpdateOptions) => {
      if (Object.keys(options).length === 0)
        throw new UsageError('Pass at least one of --url, --types and --status');
      await withContext(async (context) => {
        const manager = await requireManager(context, id);
        const { webhook } = resultOf(await context.webhooks.update(manager, id, options));
        printResult(webhook, formatRecords([webhook], WEBHOOKS));
      });
    });
}

function addDeleteWebhook(webhooks: Command, { withContext, printResult }: Cli): void {
  webhooks
    .command('delete')
    .description('delete a webhook and the list of its deliveries')
    .argument('<id>', 'ID of the webhook (whk_…)')
    .action((id: string) =>
      withContext(async (context) => {
        const manager = await requireManager(context, id);
        const { deletedId } = resultOf(await context.webhooks.delete(manager, id));
        printResult({ deletedId }, `Deleted ${deletedId}.`);
      }),
    );
}

function readHours(text: string): number {
  const { max } = WEBHOOK_LIMITS.graceHours;
  if (!/^\d{1,3}$/.test(text) || Number(text) > max)
    throw new InvalidArgumentError(`Must be an integer from 0 to ${max}.`);
  return Number(text);
}

function addRotateSecret(webhooks: Command, { withContext, printResult }: Cli): void {
  webhooks
    .command('rotate')
    .description(
      'replace the secret of a webhook. Messages are signed with both secrets for a grace period, and the new secret is shown only once',
    )
    .argument('<id>', 'ID of the webhook (whk_…)')
    .option(
      '--grace-hours <hours>',
      'number of hours for which messages are also signed with the old secret',
      readHours,
      WEBHOOK_LIMITS.graceHours.default,
    )
    .action((id: string, { graceHours }: { graceHours: number }) =>
      withContext(async (context) => {
        const manager = await requireManager(context, id);
        const { webhook, secret } = resultOf(
          await context.webhooks.rotateSecret(manager, id, graceHours),
        );
        printResult({ ...webhook, secret }, `The new secret of ${id} is ${secret}`);
      }),
    );
}

const SHOWN_DELIVERIES = 50;

function addTestWebhook(webhooks: Command, { withContext, printResult }: Cli): void {
  webhooks
    .command('test')
    .description('send a test message. `webhooks deliveries` shows the result')
    .argument('<id>', 'ID of the webhook (whk_…)')
    .action((id: string) =>
      withContext(async (context) => {
        const manager = await requireManager(context, id);
        const { delivery } = resultOf(await context.webhooks.test(manager, id));
        printResult(delivery, `A worker sends the test message ${delivery.id}.`);
      }),
    );
}

function addListDeliveries(webhooks: Command, cli: Cli): void {
  webhooks
    .command('deliveries')
    .description(`list the last ${SHOWN_DELIVERIES} messages of a webhook, newest first`)
    .argument('<id>', 'ID of the webhook (whk_…)')
    .action((id: string) =>
      listRecords(
        cli,
        async (context) => {
          await requireManager(context, id);
          const pages = await context.webhooks.deliveries([id], { limit: SHOWN_DELIVERIES });
          return pages.get(id)!.deliveries;
        },
        {
          none: 'There are no messages.',
          columns: {
            id: (delivery) => delivery.id,
            event: ({ eventType }) => eventType,
            status: ({ status }) => status,
            attempts: ({ attempts }) => attempts,
            'last attempt': ({ lastAttemptAt }) => formatMinute(lastAttemptAt),
            response: ({ responseStatus, error }) => responseStatus ?? error,
          },
        },
      ),
    );
}

function addRedeliver(webhooks: Command, { withContext, printResult }: Cli): void {
  webhooks
    .command('redeliver')
    .description('send messages of a webhook to its receiver again')
    .argument('<id>', 'ID of the webhook (whk_…)')
    .argument('[deliveries...]', 'IDs of the messages (dlv_…)')
    .option(
      '--since <time>',
      'send all events since this time, in ISO 8601 format with a time zone',
      readTime,
    )
    .action(async (id: string, deliveryIds: string[], { since }: { since?: Date }) => {
      if ((since === undefined) === (deliveryIds.length === 0))
        throw new UsageError('Pass either IDs of messages or --since');
      await withContext(async (context) => {
        const manager = await requireManager(context, id);
        const { jobId } = resultOf(
          await context.webhooks.redeliver(manager, {
            webhookId: id,
            deliveryIds: since ? null : deliveryIds,
            since: since ?? null,
          }),
        );
        printResult({ jobId }, `The job ${jobId} sends the messages.`);
      });
    });
}

/** An operator manages webhooks in the role of the owner. */
const managerOf = (workspaceId: string): WebhookManager => ({
  workspace: { id: workspaceId },
  role: 'owner',
  user: null,
});

/** @throws CliError if there is no webhook with this ID */
async function requireManager(
  { webhookWorkspace }: CliContext,
  id: string,
): Promise<WebhookManager> {
  const workspaceId = await webhookWorkspace(id);
  if (workspaceId === null) throw new CliError(`Webhook ${JSON.stringify(id)} does not exist`);
  return managerOf(workspaceId);
}

/** The result. @throws CliError with the reasons why there is none */
function resultOf<Result>(outcome: WebhookOutcome<Result>): Result {
  if (outcome.kind === 'refused')
    throw new CliError(outcome.refusals.map(({ message }) => message).join('\n'));
  return outcome;
}
