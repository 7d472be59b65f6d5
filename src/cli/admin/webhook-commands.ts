import { InvalidArgumentError, Option, type Command } from 'commander';
import { EVENT_TYPES, type EventType } from '../../domain/events/event-types.js';
import { enumKeys } from '../../domain/enums.js';
import {
  WEBHOOK_LIMITS,
  WEBHOOK_STATUSES,
  type Webhook,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.js';
import { UsageError } from '../cli-error.js';
import type { Cli } from '../cli-context.js';
import { commandGroup } from '../command-group.js';
import { formatMinute, formatTable } from '../text-table.js';
import { assertWorkspaceExists } from './find-records.js';
import { addDeliveryCommands } from './webhook-delivery-commands.js';
import { managerOf, requireManager, resultOf } from './find-webhook.js';

/** Adds the commands that manage webhooks, in the role of the workspace’s owner. */
export function addWebhookCommands(program: Command, cli: Cli): void {
  const webhooks = commandGroup(program, 'webhooks');
  addListWebhooks(webhooks, cli);
  addCreateWebhook(webhooks, cli);
  addUpdateWebhook(webhooks, cli);
  addDeleteWebhook(webhooks, cli);
  addRotateSecret(webhooks, cli);
  addDeliveryCommands(webhooks, cli);
}

const typesOption = (description: string): Option =>
  new Option('--types <types...>', description).choices(enumKeys<EventType>(EVENT_TYPES));

function addListWebhooks(webhooks: Command, { withContext, printResult }: Cli): void {
  webhooks
    .command('list')
    .description('list the webhooks of a workspace, oldest first')
    .requiredOption('--workspace <id>', 'ID of the workspace (wks_…)')
    .action(({ workspace }: { workspace: string }) =>
      withContext(
        async (context) => {
          await assertWorkspaceExists(context.admin, workspace);
          const entries = await context.webhooks.list(managerOf(workspace));
          printResult(
            entries,
            entries.length === 0 ? 'There are no webhooks.' : formatWebhooks(entries),
          );
        },
        { readsOnly: true },
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
      new Option('--status <status>', 'whether the webhook sends events').choices(
        enumKeys<WebhookStatus>(WEBHOOK_STATUSES),
      ),
    )
    .action(async (id: string, options: UpdateOptions) => {
      if (Object.keys(options).length === 0)
        throw new UsageError('Pass at least one of --url, --types and --status');
      await withContext(async (context) => {
        const manager = await requireManager(context, id);
        const { webhook } = resultOf(await context.webhooks.update(manager, id, options));
        printResult(webhook, formatWebhooks([webhook]));
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

const formatWebhooks = (entries: readonly Webhook[]): string =>
  formatTable(
    ['id', 'status', 'created', 'url', 'types'],
    entries.map(({ id, status, createdAt, url, types }) => [
      id,
      status,
      formatMinute(createdAt),
      url,
      types.join(' '),
    ]),
  );
