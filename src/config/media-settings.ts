import { enumKeys, PLANS, type Plan } from '../domain/enums.js';
import { isWebUrl } from '../domain/input/urls.js';
import { readFlag, readPublicUrl } from './setting-readers.js';
import { splitList, type Setting } from './setting.js';

export const mediaBaseUrl: Setting<string | undefined> = {
  name: 'MEDIA_BASE_URL',
  description:
    'URL at which clients and networks reach the gateway. The URLs of uploaded media start with it. If unset, they start with the address on which the gateway listens, which only this machine can reach; with NODE_ENV=production, a gateway then does not start. If you change it, the URLs of stored files change with it.',
  allowed: 'https://…, or http://… on localhost, without user and password',
  default: '',
  whenUnset: () => undefined,
  read: (text) => readPublicUrl(text)?.replace(/\/+$/, ''),
};

export const keepMediaMetadata: Setting<boolean> = {
  name: 'KEEP_MEDIA_METADATA',
  description:
    'Whether pictures that are added keep the metadata in their files, such as the position and the serial number of the camera. Networks and everyone with the URL of a file then receive them. Orientation and color profile are always kept. Gateways and workers need the same value.',
  allowed: '0 or 1',
  default: '0',
  whenUnset: () => false,
  read: readFlag,
};

interface ByPlanOptions extends Pick<Setting<unknown>, 'name' | 'description'> {
  readonly max: number;
  readonly default: Readonly<Record<Plan, number>>;
}

/** A whole number for each plan. Plans that the text does not name keep their default. */
function byPlanSetting({
  max,
  default: defaults,
  ...texts
}: ByPlanOptions): Setting<Readonly<Record<Plan, number>>> {
  const plans = enumKeys<Plan>(PLANS);
  const textOf = (values: Readonly<Record<Plan, number>>): string =>
    plans.map((plan) => `${plan}=${values[plan]}`).join(',');
  return {
    ...texts,
    allowed: `pairs of a plan and a whole number from 0 to ${max}, such as ${textOf(defaults)}`,
    default: textOf(defaults),
    whenUnset: () => defaults,
    read(text) {
      const pairs = splitList(text).map((pair) => pair.split('='));
      const areValid = pairs.every(
        ([plan = '', value = '', ...rest]) =>
          rest.length === 0 &&
          Object.hasOwn(PLANS, plan) &&
          /^\d{1,10}$/.test(value) &&
          Number(value) <= max,
      );
      const values = pairs.map(([plan, value]) => [plan, Number(value)]);
      return areValid ? { ...defaults, ...Object.fromEntries(values) } : undefined;
    },
  };
}

export const mediaGigabytes = byPlanSetting({
  name: 'MEDIA_GIGABYTES',
  max: 1_000_000,
  default: { free: 5, professional: 50, business: 500 },
  description:
    'Gigabytes that the files of a workspace may have at most, by the plan of its owner. Files that open upload URLs accept count, too. Gateways and workers need the same value.',
});

export const mediaOpenUploads = byPlanSetting({
  name: 'MEDIA_OPEN_UPLOADS',
  max: 1_000_000,
  default: { free: 100, professional: 300, business: 1_000 },
  description:
    'Number of upload URLs that accept a file at the same time in a workspace, by the plan of its owner.',
});

export const mediaWaitingImports = byPlanSetting({
  name: 'MEDIA_WAITING_IMPORTS',
  max: 1_000_000,
  default: { free: 100, professional: 300, business: 1_000 },
  description:
    'Number of files that jobs still have to fetch at the same time in a workspace, by the plan of its owner.',
});

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
