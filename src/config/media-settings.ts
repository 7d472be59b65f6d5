import { isWebUrl } from '../domain/input/urls.js';
import { readPublicUrl } from './setting-readers.js';
import type { Setting } from './setting.js';

export const mediaBaseUrl: Setting<string | undefined> = {
  name: 'MEDIA_BASE_URL',
  description:
    'URL at which clients and networks reach the gateway. The URLs of uploaded media start with it. If unset, they start with the address on which the gateway listens, which only this machine can reach. Files that are already stored keep their URLs.',
  allowed: 'https://…, or http://… on localhost, without user and password',
  default: '',
  whenUnset: () => undefined,
  read: (text) => readPublicUrl(text)?.replace(/\/+$/, ''),
};

type TextSetting = Setting<string | undefined>;

export const s3Endpoint: TextSetting = {
  name: 'MEDIA_S3_ENDPOINT',
  requires: 'MEDIA_S3_BUCKET',
  description:
    'URL of the S3 service that stores uploaded media, without the bucket. If unset, media are stored in the folder `media` of DATA_DIR. Gateways and workers need the same value.',
  allowed: 'https://… or http://…, without user and password',
  default: '',
  whenUnset: () => undefined,
  read: (text) => (isWebUrl(text) ? text.replace(/\/+$/, '') : undefined),
};

export const s3Bucket: TextSetting = {
  name: 'MEDIA_S3_BUCKET',
  requires: 'MEDIA_S3_ACCESS_KEY_ID',
  description: 'Bucket that stores uploaded media. It must not be public.',
  allowed: 'the name of a bucket',
  default: '',
  whenUnset: () => undefined,
  read: (text) => (/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(text) ? text : undefined),
};

export const s3AccessKeyId: TextSetting = {
  name: 'MEDIA_S3_ACCESS_KEY_ID',
  requires: 'MEDIA_S3_SECRET_ACCESS_KEY',
  description:
    'ID of the access key for the bucket. It must be able to put, get and delete objects.',
  allowed: 'a key ID, without spaces',
  default: '',
  whenUnset: () => undefined,
  read: (text) => (/^\S+$/.test(text) ? text : undefined),
};

export const s3SecretAccessKey: TextSetting = {
  name: 'MEDIA_S3_SECRET_ACCESS_KEY',
  isSecret: true,
  description: 'Secret of the access key for the bucket.',
  allowed: 'a secret, without spaces',
  default: '',
  whenUnset: () => undefined,
  read: (text) => (/^\S+$/.test(text) ? text : undefined),
};

const REGION = 'us-east-1';
export const s3Region: Setting<string> = {
  name: 'MEDIA_S3_REGION',
  description: 'Region of the bucket.',
  allowed: 'lowercase letters, digits and hyphens',
  default: REGION,
  whenUnset: () => REGION,
  read: (text) => (/^[a-z\d-]{1,50}$/.test(text) ? text : undefined),
};
