import { readFlag } from './setting-readers.js';
import type { Setting } from './setting.js';

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
