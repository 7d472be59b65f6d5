import { readFlag, readWebhookSecrets, readWebhookUrl } from './setting-readers.js';
import type { Setting } from './setting.js';

export const webhookUrl: Setting<string | undefined> = {
  name: 'NOTIFY_WEBHOOK_URL',
  isSecret: true,
  requires: 'NOTIFY_WEBHOOK_SECRET',
  description:
    'URL to which notifications are sent, signed according to the Standard Webhooks specification. If unset, notifications are not sent. Gateways and workers need the same value.',
  allowed: 'https://…, or http://… on localhost, without user and password',
  default: '',
  whenUnset: () => undefined,
  read: readWebhookUrl,
};

export const webhookSecrets: Setting<readonly string[]> = {
  name: 'NOTIFY_WEBHOOK_SECRET',
  isSecret: true,
  description:
    'Secrets that sign notifications (`echo whsec_$(openssl rand -base64 32)`). Each message carries one signature per secret, so that a receiver can switch from one secret to the next.',
  allowed: 'whsec_ and 24 to 64 bytes as base64; several secrets separated by commas',
  default: '',
  whenUnset: () => [],
  read: readWebhookSecrets,
};

const LINKEDIN_VERSION = '202609';
export const linkedinVersion: Setting<string> = {
  name: 'LINKEDIN_VERSION',
  description: 'LinkedIn API version to request. LinkedIn supports each version for one year.',
  allowed: 'a year and a month, such as 202609',
  default: LINKEDIN_VERSION,
  whenUnset: () => LINKEDIN_VERSION,
  read: (text) => (/^20\d\d(0[1-9]|1[0-2])$/.test(text) ? text : undefined),
};

const FACEBOOK_VERSION = 'v25.0';
export const facebookVersion: Setting<string> = {
  name: 'FACEBOOK_VERSION',
  description: 'Facebook Graph API version to request.',
  allowed: 'a version, such as v25.0',
  default: FACEBOOK_VERSION,
  whenUnset: () => FACEBOOK_VERSION,
  read: (text) => (/^v\d{1,3}\.\d{1,2}$/.test(text) ? text : undefined),
};

export const networksAllowLoopback: Setting<boolean> = {
  name: 'NETWORKS_ALLOW_LOOPBACK',
  description:
    'Whether the gateway may call networks on localhost, including over plain HTTP. For tests only. The gateway never calls other private addresses.',
  allowed: '0 or 1',
  default: '0',
  whenUnset: () => false,
  read: readFlag,
};
