import type { Command } from 'commander';
import type { WebhookDelivery } from '../../domain/webhooks/webhook.js';
import type { Cli } from '../cli-context.js';
import { UsageError } from '../cli-error.js';
import { formatMinute, formatTable } from '../text-table.js';
import { readTime } from './option-readers.js';
import { requireManager, resultOf } from './find-webhook.js';

const SHOWN_DELIVERIES = 50;

/** Adds the commands that send messages of webhooks, and list them. */
export function addDeliveryCommands(webhooks: Command, cli: Cli): void {
  addTestWebhook(webhooks, cli);
  addListDeliveries(webhooks, cli);
  addRedeliver(webhooks, cli);
}

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

function addListDeliveries(webhooks: Command, { withContext, printResult }: Cli): void {
  webhooks
    .command('deliveries')
    .description(`list the last ${SHOWN_DELIVERIES} messages of a webhook, newest first`)
    .argument('<id>', 'ID of the webhook (whk_…)')
    .action((id: string) =>
      withContext(
        async (context) => {
          await requireManager(context, id);
          const pages = await context.webhooks.deliveries([id], { limit: SHOWN_DELIVERIES });
          const { deliveries } = pages.get(id)!;
          printResult(
            deliveries,
            deliveries.length === 0 ? 'There are no messages.' : formatDeliveries(deliveries),
          );
        },
        { readsOnly: true },
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

const formatDeliveries = (entries: readonly WebhookDelivery[]): string =>
  formatTable(
    ['id', 'event', 'status', 'attempts', 'last attempt', 'response'],
    entries.map(({ id, eventType, status, attempts, lastAttemptAt, responseStatus, error }) => [
      id,
      eventType,
      status,
      attempts,
      formatMinute(lastAttemptAt),
      responseStatus ?? error,
    ]),
  );
