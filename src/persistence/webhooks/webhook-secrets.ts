import { GatewayError } from '../../domain/errors.js';
import { seal, unseal, type CredentialKeys } from '../credentials/credential-keys.js';

/** Seals and unseals the secrets of webhooks, like the credentials of accounts. */
export interface WebhookSecrets {
  /** @throws GatewayError UNAVAILABLE without a key */
  seal(webhookId: string, secret: string): Promise<Uint8Array>;
  /** The secrets of a webhook; an error of one line if one cannot be read. */
  open(webhookId: string, sealed: readonly Uint8Array[]): Promise<string[] | Error>;
}

export const createWebhookSecrets = (keys: CredentialKeys): WebhookSecrets => ({
  async seal(webhookId, secret) {
    const key = await keys.sealingKey().catch((error: Error) => {
      throw Object.assign(
        new GatewayError(
          'UNAVAILABLE',
          'The secret of the webhook cannot be stored: the operator of the service has to set CREDENTIALS_KEY.',
        ),
        { cause: error },
      );
    });
    return new Uint8Array(seal(key, webhookId, { secret }));
  },
  async open(webhookId, sealed) {
    try {
      const unsealingKeys = await keys.unsealingKeys();
      return sealed.map((secret) => unseal(unsealingKeys, webhookId, secret)['secret']!);
    } catch (error) {
      return error as Error;
    }
  },
});
