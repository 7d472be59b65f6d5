import { readWebhookUrl } from './setting-readers.js';
import type { Setting } from './setting.js';

export const mediaBaseUrl: Setting<string | undefined> = {
  name: 'MEDIA_BASE_URL',
  description:
    'URL at which clients and networks reach the gateway. The addresses of uploaded media start with it. If unset, the address on which the gateway listens, which only this machine can reach. Files that are already stored keep their addresses.',
  allowed: 'https://…, or http://… on localhost, without user and password',
  default: '',
  whenUnset: () => undefined,
  read: (text) => readWebhookUrl(text)?.replace(/\/+$/, ''),
};
