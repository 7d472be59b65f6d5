import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { WebhookOutcome } from '../../services/webhooks/webhooks.js';
import type { GatewayContext } from '../context.js';
import { toInputError } from '../post/change/present-outcome.js';
import type { UserErrorObject } from '../post/change/post-payload.type.js';
import { RequiresScopes } from '../requires-scopes.js';
import { assertGraceHours, assertRedelivery, assertWebhook } from './webhook-input-reader.js';
import {
  CreateWebhookInput,
  DeleteWebhookInput,
  RedeliverWebhooksInput,
  RotateWebhookSecretInput,
  TestWebhookInput,
  UpdateWebhookInput,
} from './webhook-inputs.type.js';
import {
  CreateWebhookPayload,
  DeleteWebhookPayload,
  RedeliverWebhooksPayload,
  RotateWebhookSecretPayload,
  TestWebhookPayload,
  UpdateWebhookPayload,
} from './webhook-payloads.type.js';

const ROLES = 'Requires scope WEBHOOKS and the role of an owner or admin.';
const INPUT = { description: 'Input.' };

/** The payload of a mutation: the result, or the reasons why there is none. */
function toPayload<Result extends object>(
  outcome: WebhookOutcome<Result>,
  { clientMutationId = null }: { clientMutationId?: string | null },
): Partial<Result> & { userErrors: UserErrorObject[]; clientMutationId: string | null } {
  if (outcome.kind === 'done') return { ...outcome, userErrors: [], clientMutationId };
  const userErrors = outcome.refusals.map(toInputError);
  return { ...({} as Partial<Result>), userErrors, clientMutationId };
}

@Resolver()
export class WebhookMutationsResolver {
  @Mutation(() => CreateWebhookPayload, {
    description: `Creates a webhook, which sends new events of the chosen types to a URL. A workspace can have up to 10 webhooks. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async createWebhook(
    @Arg('input', () => CreateWebhookInput, INPUT) input: CreateWebhookInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    assertWebhook(input);
    const { url, types } = input;
    return toPayload(
      await services.webhooks.create(viewerOf(authentication), { url, types }),
      input,
    );
  }

  @Mutation(() => UpdateWebhookPayload, {
    description: `Changes the URL or the types of a webhook, or disables or enables it. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async updateWebhook(
    @Arg('input', () => UpdateWebhookInput, INPUT) input: UpdateWebhookInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    assertWebhook(input);
    const { id, url, types, status } = input;
    const change = {
      ...(url != null && { url }),
      ...(types != null && { types }),
      ...(status != null && { status }),
    };
    return toPayload(await services.webhooks.update(viewerOf(authentication), id, change), input);
  }

  @Mutation(() => DeleteWebhookPayload, {
    description: `Deletes a webhook and the list of its deliveries. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async deleteWebhook(
    @Arg('input', () => DeleteWebhookInput, INPUT) input: DeleteWebhookInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    return toPayload(await services.webhooks.delete(viewerOf(authentication), input.id), input);
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description: `Replaces the secret of a webhook. Until the grace period ends, messages have one signature per secret. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, INPUT) input: RotateWebhookSecretInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    const { id, graceHours } = input;
    assertGraceHours(graceHours);
    return toPayload(
      await services.webhooks.rotateSecret(viewerOf(authentication), id, graceHours),
      input,
    );
  }

  @Mutation(() => TestWebhookPayload, {
    description: `Sends a message of type WEBHOOK_TEST to the receiver of a webhook. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async testWebhook(
    @Arg('input', () => TestWebhookInput, INPUT) input: TestWebhookInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    return toPayload(await services.webhooks.test(viewerOf(authentication), input.id), input);
  }

  @Mutation(() => RedeliverWebhooksPayload, {
    description: `Sends messages of a webhook again, with the same \`webhook-id\`: some deliveries, or all events since a time. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async redeliverWebhooks(
    @Arg('input', () => RedeliverWebhooksInput, INPUT) input: RedeliverWebhooksInput,
    @Ctx() context: GatewayContext,
  ) {
    assertRedelivery(input);
    const { webhookId, deliveryIds = null, since = null } = input;
    const outcome = await context.services.webhooks.redeliver(viewerOf(context.authentication), {
      webhookId,
      deliveryIds,
      since,
    });
    context.discardLoaders();
    const payload = toPayload(outcome, input);
    const { jobId } = payload;
    return { ...payload, job: jobId === undefined ? null : await context.loaders.job.load(jobId) };
  }
}
