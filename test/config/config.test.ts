import path from 'node:path';
import { readConfig } from '../../src/config/config.js';
import { SETTINGS } from '../../src/config/settings.js';

describe('settings', () => {
  it('are all optional', () => {
    expect(readConfig({})).toMatchObject({
      databaseUrl: undefined,
      dataDir: path.resolve(__dirname, '../..', '.data'),
      databasePoolSize: 10,
      port: 4000,
      host: '127.0.0.1',
      rateLimit: 100,
      playground: true,
      logLevel: 'warn',
      redisUrls: [],
      redisPrefix: 'posts-gateway:',
      s3Region: 'us-east-1',
      linkedinVersion: '202609',
      facebookVersion: 'v25.0',
      networksAllowLoopback: false,
    });
  });

  it('name a database in production', () => {
    const problem =
      'DATABASE_URL is not set. With NODE_ENV=production, the embedded database is used only if DATA_DIR is set to its folder';
    expect(() => readConfig({ NODE_ENV: 'production', DATA_DIR: ' ', PORT: 'x' })).toThrow(
      new Error(`Invalid PORT "x". Allowed: a whole number from 0 to 65535\n${problem}`),
    );
    for (const env of [{ DATA_DIR: 'here' }, { DATABASE_URL: 'postgresql://db/posts' }])
      expect(() => readConfig({ NODE_ENV: 'production', ...env })).not.toThrow();
  });

  it('treat an empty variable as unset (D46)', () => {
    const names = Object.values(SETTINGS).map(({ name }) => name);
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ' '])))).toEqual(
      readConfig({}),
    );
  });

  it('are read from the environment', () => {
    const config = readConfig({
      DATABASE_URL: 'postgresql://me:secret@db:5433/posts',
      DATA_DIR: 'here',
      DATABASE_POOL_SIZE: '3',
      PORT: '0',
      HOST: '::',
      RATE_LIMIT_REQUESTS: '7',
      TRUSTED_PROXIES: '10.0.0.0/8 192.168.0.1,fd00::/8',
      LOG_LEVEL: 'Debug',
      REDIS_URL: 'redis://a:7000, rediss://:secret@b:7001',
      REDIS_PREFIX: 'mine:',
      LINKEDIN_VERSION: '202612',
      FACEBOOK_VERSION: 'v26.1',
      NETWORKS_ALLOW_LOOPBACK: '1',
    });
    expect(config).toMatchObject({
      databaseUrl: 'postgresql://me:secret@db:5433/posts',
      dataDir: path.resolve('here'),
      databasePoolSize: 3,
      port: 0,
      host: '::',
      rateLimit: 7,
      logLevel: 'debug',
      redisUrls: ['redis://a:7000', 'rediss://:secret@b:7001'],
      redisPrefix: 'mine:',
      s3Region: 'us-east-1',
      linkedinVersion: '202612',
      facebookVersion: 'v26.1',
      networksAllowLoopback: true,
    });
    expect(
      ['10.9.9.9', '192.168.0.1', '192.168.0.2'].map((one) => config.trustedProxies.check(one)),
    ).toEqual([true, true, false]);
    expect(config.trustedProxies.check('fd12::1', 'ipv6')).toBe(true);
  });

  it('replace hosts of networks', () => {
    const NETWORK_HOSTS = '{"api.pinterest.com": "https://api-sandbox.pinterest.com"}';
    expect(readConfig({}).networkHosts).toEqual({});
    expect(readConfig({ NETWORK_HOSTS }).networkHosts).toEqual({
      'api.pinterest.com': 'https://api-sandbox.pinterest.com',
    });
    const local = '{"api.x.com": "http://127.0.0.1:9001/api.x.com"}';
    expect(() => readConfig({ NETWORK_HOSTS: local })).toThrow(
      new Error(
        'NETWORK_HOSTS contains a URL of localhost, which requires NETWORKS_ALLOW_LOOPBACK=1',
      ),
    );
    expect(readConfig({ NETWORK_HOSTS: local, NETWORKS_ALLOW_LOOPBACK: '1' }).networkHosts).toEqual(
      { 'api.x.com': 'http://127.0.0.1:9001/api.x.com' },
    );
  });

  it.each([
    'api.x.com',
    '[]',
    'null',
    '{"api.x.com": 1}',
    '{"https://api.x.com": "https://b.example"}',
    '{"api.x.com": "http://b.example"}',
    '{"api.x.com": "https://me:secret@b.example"}',
    '{"api.x.com": "https://b.example?a=b"}',
  ])('reject %s as hosts of networks', (text) => {
    expect(() => readConfig({ NETWORK_HOSTS: text })).toThrow(/^Invalid NETWORK_HOSTS /);
  });

  it.each(['not a host', '127.0.0.1:4000', 'http://localhost', '-a', '::1::'])(
    'reject %s as a host',
    (host) => {
      expect(() => readConfig({ HOST: host, METRICS_HOST: host })).toThrow(
        new Error(
          ['HOST', 'METRICS_HOST']
            .map(
              (name) =>
                `Invalid ${name} ${JSON.stringify(host)}. Allowed: an address or a host name`,
            )
            .join('\n'),
        ),
      );
    },
  );

  it('accept credential keys as base64 or hex in order, and do not print an invalid one', () => {
    const keys = [1, 2, 3].map((byte) => Buffer.alloc(32, byte + 0xf8));
    const value = [
      keys[0]!.toString('base64'),
      keys[1]!.toString('hex'),
      keys[2]!.toString('base64url'),
    ].join(', ');
    expect(readConfig({ CREDENTIALS_KEY: value }).credentialsKeys).toEqual(keys);
    for (const wrong of ['tooshort', `${value},tooshort`, 'f'.repeat(63), 'A'.repeat(44), ',']) {
      expect(() => readConfig({ CREDENTIALS_KEY: wrong })).toThrow(
        new Error(
          'Invalid CREDENTIALS_KEY. Allowed: 32 bytes as base64 or hex; several keys separated by commas',
        ),
      );
    }
  });

  it.each([
    ['start', true],
    ['cli', true],
    ['npx', true],
    ['test', false],
    ['', false],
  ])('detect npm as the parent process for script %j: %s', (script, isUnderNpm) => {
    expect(readConfig({ npm_lifecycle_event: script })).toMatchObject({ isUnderNpm });
  });

  it.each([
    [{ NODE_ENV: 'production', DATA_DIR: 'here' }, false],
    [{ NODE_ENV: 'production', DATA_DIR: 'here', PLAYGROUND: '1' }, true],
    [{ PLAYGROUND: '0' }, false],
    [{ NODE_ENV: 'test' }, true],
  ])('%j: the playground is served: %s', (env, playground) =>
    expect(readConfig(env)).toMatchObject({ playground }),
  );

  it('report every invalid value in one error, without passwords', () => {
    const read = () =>
      readConfig({
        DATABASE_URL: 'mysql://me:secret@db',
        PORT: '70000',
        RATE_LIMIT_REQUESTS: '0',
        DATABASE_POOL_SIZE: '1.5',
        TRUSTED_PROXIES: '10.0.0.0/33',
        PLAYGROUND: 'yes',
        LOG_LEVEL: 'loud',
        REDIS_URL: 'redis://ok,http://me:secret@cache',
        REDIS_PREFIX: '{tag}',
        LINKEDIN_VERSION: '202613',
        FACEBOOK_VERSION: '25',
        NETWORKS_ALLOW_LOOPBACK: 'true',
      });
    expect(read).toThrow(
      new Error(
        [
          'Invalid DATABASE_URL. Allowed: postgresql://user:password@host:port/database; several hosts separated by commas',
          'Invalid DATABASE_POOL_SIZE "1.5". Allowed: a whole number from 1 to 1000',
          'Invalid PORT "70000". Allowed: a whole number from 0 to 65535',
          'Invalid RATE_LIMIT_REQUESTS "0". Allowed: a whole number from 1 to 1000000000',
          'Invalid REDIS_URL. Allowed: redis://user:password@host:port, redis+sentinel://user:password@host:port,host:port/master-name or redis+cluster://user:password@host:port,host:port; rediss with TLS',
          'Invalid REDIS_PREFIX "{tag}". Allowed: up to 100 characters, no spaces or braces',
          'Invalid TRUSTED_PROXIES "10.0.0.0/33". Allowed: IP addresses or CIDR ranges, separated by commas',
          'Invalid PLAYGROUND "yes". Allowed: 0 or 1',
          'Invalid LINKEDIN_VERSION "202613". Allowed: a year and a month, such as 202609',
          'Invalid FACEBOOK_VERSION "25". Allowed: a version, such as v25.0',
          'Invalid NETWORKS_ALLOW_LOOPBACK "true". Allowed: 0 or 1',
          'Invalid LOG_LEVEL "loud". Allowed: one of silent, fatal, error, warn, info, debug, trace',
        ].join('\n'),
      ),
    );
  });

  it.each(['10.0.0.1/', '10.0.0.0/8/8', 'proxy.example.com', '::1/129', '10.0.0.1/-1', ','])(
    'reject %s as a proxy',
    (value) => {
      expect(() => readConfig({ TRUSTED_PROXIES: value })).toThrow('TRUSTED_PROXIES');
    },
  );
});
