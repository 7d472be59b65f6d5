import { BlockList, isIP } from 'node:net';
import { readAddresses, readFlag } from './setting-readers.js';
import { integerSetting, type Setting } from './setting.js';

const MAX_PORT = 65_535;

export const port = integerSetting({
  name: 'PORT',
  min: 0,
  max: MAX_PORT,
  default: 4000,
  description: 'Port of the GraphQL and REST APIs. 0 picks a free port.',
});

const HOST_NAME = /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i;
const hostSetting = (texts: Pick<Setting<string>, 'name' | 'description'>): Setting<string> => ({
  ...texts,
  allowed: 'an address or a host name',
  default: '127.0.0.1',
  whenUnset: () => '127.0.0.1',
  read: (text) => (isIP(text) !== 0 || HOST_NAME.test(text) ? text : undefined),
});

export const host = hostSetting({
  name: 'HOST',
  description: 'Address to listen on. Use 0.0.0.0 or :: for all addresses.',
});

export const metricsPort: Setting<number | undefined> = {
  ...integerSetting({
    name: 'METRICS_PORT',
    min: 0,
    max: MAX_PORT,
    default: 0,
    description:
      'Port on which gateways and workers serve /metrics for Prometheus, /healthz and /readyz. If unset, no metrics are collected.',
  }),
  default: '',
  whenUnset: () => undefined,
};

export const metricsHost = hostSetting({
  name: 'METRICS_HOST',
  description:
    'Address that METRICS_PORT listens on. Metrics need no key: anyone who can connect can read them.',
});

export const trustedProxies: Setting<BlockList> = {
  name: 'TRUSTED_PROXIES',
  description:
    'Proxies whose X-Forwarded-Proto and X-Forwarded-For headers are trusted. If unset, no proxy is trusted, and requests with a key over plain HTTP are accepted only from localhost.',
  allowed: 'IP addresses or CIDR ranges, separated by commas',
  default: '',
  whenUnset: () => new BlockList(),
  read: readAddresses,
};

export const playground: Setting<boolean> = {
  name: 'PLAYGROUND',
  description:
    'Whether /playground and /sandbox are served. If unset, they are served unless NODE_ENV is production.',
  allowed: '0 or 1',
  default: '',
  whenUnset: (env) => env['NODE_ENV'] !== 'production',
  read: readFlag,
};

export const mcp: Setting<boolean> = {
  name: 'MCP',
  description: 'Whether the MCP server for agents is served at /mcp.',
  allowed: '0 or 1',
  default: '1',
  whenUnset: () => true,
  read: readFlag,
};

export const mcpConfirm: Setting<boolean> = {
  name: 'MCP_CONFIRM',
  description:
    'Whether agents need a confirmation to publish posts at once, delete them or remove them from networks. Set it to 0 only for agents that no person watches.',
  allowed: '0 or 1',
  default: '1',
  whenUnset: () => true,
  read: readFlag,
};

export const analytics: Setting<boolean> = {
  name: 'ANALYTICS',
  description:
    'Whether this process reads the numbers of published posts from their networks. With PUBLISH_POSTS=0 it never does.',
  allowed: '0 or 1',
  default: '1',
  whenUnset: () => true,
  read: readFlag,
};

export const publishPosts: Setting<boolean> = {
  name: 'PUBLISH_POSTS',
  description:
    'Whether this process publishes posts when they become due. Set it to 0 on every process that uses a copy of a production database.',
  allowed: '0 or 1',
  default: '1',
  whenUnset: () => true,
  read: readFlag,
};
