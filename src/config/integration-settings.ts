import { isLoopbackUrl, readFlag, readPublicUrl } from './setting-readers.js';
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

const HOST_NAME = /^[a-z\d-]+(\.[a-z\d-]+)+$/;
const EXAMPLE_HOSTS = '{"api.pinterest.com": "https://api-sandbox.pinterest.com"}';

/** Base URLs by host; undefined for any other text. */
function readNetworkHosts(text: string): Readonly<Record<string, string>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const isValid = Object.entries(value).every(
    ([host, base]) =>
      HOST_NAME.test(host) &&
      typeof base === 'string' &&
      !/[?#]/.test(base) &&
      readPublicUrl(base) !== undefined,
  );
  return isValid ? (value as Readonly<Record<string, string>>) : undefined;
}

export const networkHosts: Setting<Readonly<Record<string, string>>> = {
  name: 'NETWORK_HOSTS',
  description:
    'Base URLs that replace hosts of networks, for example to use the sandbox of a network. URLs of localhost require NETWORKS_ALLOW_LOOPBACK=1.',
  allowed: `a JSON object of hosts and https URLs, such as ${EXAMPLE_HOSTS}`,
  default: '',
  whenUnset: () => ({}),
  read: readNetworkHosts,
};

/** Why NETWORK_HOSTS cannot be used with the other settings; null if it can. */
export const findNetworkHostsProblem = ({
  networkHosts: hosts,
  networksAllowLoopback: allowLoopback,
}: {
  /** Undefined if it is not valid, which is a problem of its own. */
  readonly networkHosts: Readonly<Record<string, string>> | undefined;
  readonly networksAllowLoopback: boolean | undefined;
}): string | null =>
  !allowLoopback && Object.values(hosts ?? {}).some(isLoopbackUrl)
    ? 'NETWORK_HOSTS contains a URL of localhost, which requires NETWORKS_ALLOW_LOOPBACK=1'
    : null;
