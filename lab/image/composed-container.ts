import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { StartedProgram } from '../../test/setup/started-program.js';
import type { ContainerEngine } from './container-engine.js';

const ROOT = path.resolve(__dirname, '../..');

interface Service {
  readonly image: string;
  readonly read_only: true;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly volumes: readonly string[];
  readonly stop_grace_period: string;
  readonly command?: readonly string[];
}
const { services } = parse(readFileSync(path.join(ROOT, 'compose.yml'), 'utf8'), {
  merge: true,
}) as { services: Record<'gateway-1' | 'worker-1', Service> };

/** The engine adds the files of `/etc` that describe the network. */
const ENGINE_CHANGE = 'C /etc';

/** A running container. */
export interface Container {
  readonly program: StartedProgram;
  /** Runs a command in it. @throws Error with all its output if it fails */
  exec(...command: string[]): Promise<string>;
  /** Result of the health check of the image. */
  isHealthy(): Promise<boolean>;
  /** Stops it as Compose does. @returns its exit code and changed paths of its root file system */
  stop(): Promise<{ exitCode: number | null; changes: readonly string[] }>;
}

/** Starts a service of compose.yml with its restrictions, but with these settings. */
export function startComposed(
  engine: ContainerEngine,
  name: keyof typeof services,
  settings: Readonly<Record<string, string>>,
): Container {
  const service = services[name];
  const program = engine.start(
    'run',
    '--name',
    name,
    '--health-interval',
    'disable',
    ...(service.read_only ? ['--read-only'] : []),
    ...service.tmpfs.flatMap((folder) => ['--tmpfs', folder]),
    ...service.cap_drop.flatMap((capability) => ['--cap-drop', capability]),
    ...service.security_opt.flatMap((option) => ['--security-opt', option.replace(':', '=')]),
    ...service.volumes.flatMap((volume) => ['--volume', volume]),
    ...Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    service.image,
    ...(service.command ?? []),
  );
  return {
    program,
    exec: (...command) => engine.run('exec', name, ...command),
    isHealthy: () =>
      engine.run('healthcheck', 'run', name).then(
        () => true,
        () => false,
      ),
    async stop() {
      await engine.run('stop', '--time', `${parseInt(service.stop_grace_period, 10)}`, name);
      const changes = (await engine.run('diff', name)).split('\n');
      return {
        exitCode: await program.exit,
        changes: changes.filter((change) => change !== ENGINE_CHANGE),
      };
    },
  };
}
