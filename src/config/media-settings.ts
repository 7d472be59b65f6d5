import { readWebhookUrl } from './setting-readers.js';
import type { Setting } from './setting.js';

export const mediaBaseUrl: Setting<string | undefined> = {
  name: 'MEDIA_BASE_URL',
  description:
    'URL at which clients and networks reach the gateway: the start of the addresses of uploaded media. If unset, the address that the gateway listens on, which only this machine can reach. Stored addresses keep the URL that was set when the file was added.',
  allowed: 'https://…, or http://… on localhost, without user and password',
  default: '',
  whenUnset: () => undefined,
  read: (text) => readWebhookUrl(text)?.replace(/\/+$/, ''),
};
