import { randomBytes } from 'node:crypto';
import { canManageWebhooks } from '../../domain/access/viewer.js';
import type { Role } from '../../domain/enums.js';
import { GatewayError, ERRORS, type Refusal } from '../../domain/errors.js';
import type { EventType } from '../../domain/events/event.js';
import { isPrefixedId } from '../../domain/posts/post.js';
import {
  isInLog,
  WEBHOOK_LIMITS,
  type Webhook,
  type WebhookDelivery,
  type DeliveryPage,
  type DeliveryWindow,
  type WebhookChange,
} from '../../domain/webhooks/webhook.js';
import { toTestMessage } from '../../domain/webhooks/webhook-message.js';
import type { DeliveryLog } from '../../persistence/webhooks/delivery-log.js';
import type { WebhookStore } from '../../persistence/webhooks/webhook-store.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { WebhookSender } from './webhook-sender.js';

/** Who manages webhooks: a viewer, or an operator in the role of the owner. */
export interface WebhookManager {
  readonly workspace: { readonly id: string };
  readonly role: Role;
  /** Null for an operator. */
  readonly user: { readonly id: string } | null;
}

/** Result of a change of webhooks. A refused one changes nothing. */
export type WebhookOutcome<Result> =
  | ({ readonly kind: 'done' } & Result)
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/** What is to be sent again. Exactly one of both is not null. */
export interface RedeliveryRequest {
  readonly webhookId: string;
  readonly deliveryIds: readonly string[] | null;
  readonly since: Date | null;
}

interface WithWebhook {
  readonly webhook: Webhook;
}
/** `secret` is shown once. */
interface WithSecret extends WithWebhook {
  readonly secret: string;
}

/** The webhooks of a workspace (D75), which owners and admins manage. */
export interface Webhooks {
  /** @throws GatewayError FORBIDDEN for other roles */
  list(manager: WebhookManager): Promise<readonly Webhook[]>;
  /** Null if the webhook does not exist, or for other roles. */
  find(manager: WebhookManager, id: string): Promise<Webhook | null>;
  /** Deliveries of webhooks that the manager can see, by webhook ID, newest first. */
  deliveries(
    webhookIds: readonly string[],
    window: DeliveryWindow,
  ): Promise<ReadonlyMap<string, DeliveryPage>>;
  create(
    manager: WebhookManager,
    webhook: { readonly url: string; readonly types: readonly EventType[] },
  ): Promise<WebhookOutcome<WithSecret>>;
  update(
    manager: WebhookManager,
    id: string,
    change: WebhookChange,
  ): Promise<WebhookOutcome<WithWebhook>>;
  delete(
    manager: WebhookManager,
    id: string,
  ): Promise<WebhookOutcome<{ readonly deletedId: string }>>;
  /** Until `graceHours` have passed, messages are signed with both secrets. */
  rotateSecret(
    manager: WebhookManager,
    id: string,
    graceHours: number,
  ): Promise<WebhookOutcome<WithSecret>>;
  /** Queues a message of type `webhook.test`. */
  test(
    manager: WebhookManager,
    id: string,
  ): Promise<WebhookOutcome<{ readonly delivery: WebhookDelivery }>>;
  /** Starts a job that queues messages again. */
  redeliver(
    manager: WebhookManager,
    request: RedeliveryRequest,
  ): Promise<WebhookOutcome<{ readonly jobId: string }>>;
}

interface WebhookDependencies {
  readonly store: WebhookStore;
  readonly log: DeliveryLog;
  readonly sender: Pick<WebhookSender, 'problemOf'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

const HOUR_MS = 3_600_000;
const SECRET_BYTES = 32;
const createSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

const FORBIDDEN = 'Only owners and admins of the workspace can manage its webhooks.';

const refuse = (
  code: Refusal['code'],
  message: string,
  path: readonly string[] = [],
): { readonly kind: 'refused'; readonly refusals: readonly Refusal[] } => ({
  kind: 'refused',
  refusals: [{ code, message, path, rule: 'D75' }],
});
const notFound = (path: string) =>
  refuse('WEBHOOK_NOT_FOUND', ERRORS.WEBHOOK_NOT_FOUND.description, [path]);

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Creates the use cases of webhooks. */
export function createWebhooks({ store, log, sender, ids, clock }: WebhookDependencies): Webhooks {
  const refusalOfUrl = (url: string) => {
    const problem = sender.problemOf(url);
    return problem === null ? null : refuse('RULE_VIOLATION', `url ${problem}.`, ['url']);
  };
  const find = async ({ workspace, role }: WebhookManager, id: string): Promise<Webhook | null> =>
    canManageWebhooks(role) && isPrefixedId('whk', id) ? store.find(workspace.id, id) : null;

  /** Finds an active webhook, to which a message can be sent, or says why there is none. */
  async function findReceiver(manager: WebhookManager, id: string, path: string) {
    if (!canManageWebhooks(manager.role)) return refuse('FORBIDDEN', FORBIDDEN);
    const webhook = await find(manager, id);
    if (!webhook) return notFound(path);
    return webhook.status === 'active'
      ? ({ kind: 'receiver', webhook } as const)
      : refuse('RULE_VIOLATION', 'The webhook is disabled. Set its status to active first.', [
          path,
        ]);
  }

  return {
    async list({ workspace, role }) {
      if (!canManageWebhooks(role)) throw new GatewayError('FORBIDDEN', FORBIDDEN);
      return store.list(workspace.id);
    },
    find,
    deliveries: (webhookIds, window) => log.pages(webhookIds, window),

    async create({ workspace, role }, { url, types }) {
      if (!canManageWebhooks(role)) return refuse('FORBIDDEN', FORBIDDEN);
      const refusal = refusalOfUrl(url);
      if (refusal) return refusal;
      const webhook = {
        id: ids.prefixed('whk'),
        url,
        types: unique(types),
        createdAt: clock.now(),
      };
      const secret = createSecret();
      const max = WEBHOOK_LIMITS.perWorkspace;
      return (await store.create(workspace.id, { ...webhook, secret }, max))
        ? { kind: 'done', webhook: { ...webhook, status: 'active' }, secret }
        : refuse(
            'RULE_VIOLATION',
            `The workspace has ${max} webhooks, which is the maximum. Delete one first.`,
            ['url'],
          );
    },

    async update({ workspace, role }, id, { types, ...change }) {
      if (!canManageWebhooks(role)) return refuse('FORBIDDEN', FORBIDDEN);
      const refusal = change.url === undefined ? null : refusalOfUrl(change.url);
      if (refusal) return refusal;
      const webhook = isPrefixedId('whk', id)
        ? await store.update(workspace.id, id, {
            ...change,
            ...(types && { types: unique(types) }),
          })
        : null;
      return webhook ? { kind: 'done', webhook } : notFound('id');
    },

    async delete({ workspace, role }, id) {
      if (!canManageWebhooks(role)) return refuse('FORBIDDEN', FORBIDDEN);
      return isPrefixedId('whk', id) && (await store.delete(workspace.id, id))
        ? { kind: 'done', deletedId: id }
        : notFound('id');
    },

    async rotateSecret({ workspace, role }, id, graceHours) {
      if (!canManageWebhooks(role)) return refuse('FORBIDDEN', FORBIDDEN);
      const secret = createSecret();
      const previousUntil = new Date(clock.now().getTime() + graceHours * HOUR_MS);
      const webhook = isPrefixedId('whk', id)
        ? await store.replaceSecret(workspace.id, id, { secret, previousUntil })
        : null;
      return webhook ? { kind: 'done', webhook, secret } : notFound('id');
    },

    async test(manager, id) {
      const found = await findReceiver(manager, id, 'id');
      if (found.kind === 'refused') return found;
      const at = clock.now();
      const delivery = await log.add({
        id: ids.prefixed('dlv'),
        webhookId: id,
        eventType: 'webhook.test',
        body: toTestMessage(id, { workspaceId: manager.workspace.id, at }),
        at,
      });
      return { kind: 'done', delivery };
    },

    async redeliver(manager, { webhookId, deliveryIds, since }) {
      const found = await findReceiver(manager, webhookId, 'webhookId');
      if (found.kind === 'refused') return found;
      const requestedAt = clock.now();
      if (since !== null && !isInLog(since, requestedAt))
        return refuse(
          'RULE_VIOLATION',
          `since must be a time within the last ${WEBHOOK_LIMITS.logDays} days.`,
          ['since'],
        );
      const [unknown] = deliveryIds ? await log.unknownIds(webhookId, deliveryIds) : [];
      if (unknown !== undefined)
        return refuse('RULE_VIOLATION', `The webhook has no delivery ${JSON.stringify(unknown)}.`, [
          'deliveryIds',
          String(deliveryIds!.indexOf(unknown)),
        ]);
      const jobId = ids.prefixed('job');
      await log.addRedelivery(
        { jobId, webhookId, deliveryIds, since, requestedAt },
        { workspaceId: manager.workspace.id, userId: manager.user?.id ?? null },
      );
      return { kind: 'done', jobId };
    },
  };
}
