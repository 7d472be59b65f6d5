import path from 'node:path';
import { readConfig } from '../../src/config/config.js';
import { SETTINGS } from '../../src/config/settings.js';

describe('settings', () => {
  it('need none', () => {
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
      linkedinVersion: '202609',
      facebookVersion: 'v25.0',
      networksAllowLoopback: false,
    });
  });

  it('take an empty variable as unset (D46)', () => {
    const names = Object.values(SETTINGS).map(({ name }) => name);
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ' '])))).toEqual(
      readConfig({}),
    );
  });

  it('are read', () => {
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
      linkedinVersion: '202612',
      facebookVersion: 'v26.1',
      networksAllowLoopback: true,
    });
    expect(
      ['10.9.9.9', '192.168.0.1', '192.168.0.2'].map((one) => config.trustedProxies.check(one)),
    ).toEqual([true, true, false]);
    expect(config.trustedProxies.check('fd12::1', 'ipv6')).toBe(true);
  });

  it.each(['not a host', '127.0.0.1:4000', 'http://localhost', '-a', '::1::'])(
    'refuse %s as a host',
    (host) => {
      expect(() => readConfig({ HOST: host, METRICS_HOST: host })).toThrow(
        new Error(
          ['HOST', 'METRICS_HOST']
            .map((name) => `${name} is ${JSON.stringify(host)}: an address or a host name`)
            .join('\n'),
        ),
      );
    },
  );

  it('take keys for credentials as base64 or hex, the first first, and tell none that is wrong', () => {
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
          'CREDENTIALS_KEY is not usable: 32 bytes as base64 or hex; several keys separated by commas',
        ),
      );
    }
  });

  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  it.each([
    'https://hooks.example.com/a?token=x',
    'http://localhost:8080/',
    'http://127.0.0.2/',
    'http://[::1]:9/',
  ])('take %s as a webhook, with its secrets', (url) => {
    expect(
      readConfig({ NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: `${secret}, ${secret}` }),
    ).toMatchObject({ webhookUrl: url, webhookSecrets: [secret, secret] });
  });

  it.each([
    'http://hooks.example.com/',
    'http://127.0.0.1.example.com/',
    'ftp://localhost/',
    'https://me:token@hooks.example.com/',
    'hooks.example.com',
  ])('refuse %s as a webhook, without telling it', (url) => {
    expect(() => readConfig({ NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: secret })).toThrow(
      new Error(
        'NOTIFY_WEBHOOK_URL is not usable: https://…, or http://… on this machine, without user and password',
      ),
    );
  });

  it('refuse a webhook without a secret, and secrets of another form, without telling them', () => {
    const url = 'https://hooks.example.com/';
    expect(() => readConfig({ NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: ' ' })).toThrow(
      new Error('NOTIFY_WEBHOOK_SECRET is not set, and NOTIFY_WEBHOOK_URL needs it'),
    );
    const ofLength = (bytes: number): string =>
      `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
    for (const wrong of [
      secret.slice(6),
      ofLength(23),
      ofLength(65),
      `${secret},x`,
      `${secret.slice(0, -1)}!`,
      'whsec_',
      ',',
    ]) {
      expect(() => readConfig({ NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: wrong })).toThrow(
        new Error(
          'NOTIFY_WEBHOOK_SECRET is not usable: whsec_ and 24 to 64 bytes as base64; several secrets separated by commas',
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
  ])('tell of npm’s script %j whether it is our parent', (script, isUnderNpm) => {
    expect(readConfig({ npm_lifecycle_event: script })).toMatchObject({ isUnderNpm });
  });

  it.each([
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production', PLAYGROUND: '1' }, true],
    [{ PLAYGROUND: '0' }, false],
    [{ NODE_ENV: 'test' }, true],
  ])('%j: the playground is there: %s', (env, playground) =>
    expect(readConfig(env)).toMatchObject({ playground }),
  );

  it('are refused all at once, without passwords', () => {
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
          'DATABASE_URL is not usable: postgresql://user:password@host:port/database',
          'DATABASE_POOL_SIZE is "1.5": a whole number from 1 to 1000',
          'PORT is "70000": a whole number from 0 to 65535',
          'RATE_LIMIT_REQUESTS is "0": a whole number from 1 to 1000000000',
          'REDIS_URL is not usable: redis://user:password@host:port or rediss://…; several nodes separated by commas',
          'REDIS_PREFIX is "{tag}": up to 100 characters, no spaces or braces',
          'TRUSTED_PROXIES is "10.0.0.0/33": IP addresses or CIDR ranges, separated by commas',
          'PLAYGROUND is "yes": 0 or 1',
          'LINKEDIN_VERSION is "202613": a year and a month, as 202609',
          'FACEBOOK_VERSION is "25": a version, as v25.0',
          'NETWORKS_ALLOW_LOOPBACK is "true": 0 or 1',
          'LOG_LEVEL is "loud": one of silent, fatal, error, warn, info, debug, trace',
        ].join('\n'),
      ),
    );
  });

  it.each(['10.0.0.1/', '10.0.0.0/8/8', 'proxy.example.com', '::1/129', '10.0.0.1/-1', ','])(
    'refuse %s as a proxy',
    (value) => {
      expect(() => readConfig({ TRUSTED_PROXIES: value })).toThrow('TRUSTED_PROXIES');
    },
  );
});
