import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { freePort } from '../../test/setup/free-port.js';
import { aPostgresServer, type PostgresServer } from '../../test/setup/postgres-server.js';
import { aRedisServer, type RedisServer } from '../../test/setup/redis.js';
import { errorLinesOf, killStartedPrograms, waitUntil } from '../../test/setup/started-program.js';
import { suite } from '../../test/setup/suite.js';
import { createBaseImage } from './base-image.js';
import { startComposed, type Container } from './composed-container.js';
import { openContainerEngine, runProgram, type ContainerEngine } from './container-engine.js';
import { findUnwanted, measureParts, readImageFiles } from './image-contents.js';

const ROOT = path.resolve(__dirname, '../..');
const MAX_IMAGE_BYTES = 300_000_000;
const MAX_STOP_MS = 10_000;

let engine: ContainerEngine;
let postgres: PostgresServer;
let redis: RedisServer;
let gateway: Container;
let worker: Container;
let url: string;

beforeAll(async () => {
  engine = openContainerEngine();
  await createBaseImage(engine);
  await buildImage();
  [postgres, redis] = await Promise.all([aPostgresServer(), aRedisServer()]);
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const settings = {
    DATABASE_URL: postgres.url(),
    MEDIA_BASE_URL: 'https://posts.example.com',
    REDIS_URL: redis.url,
    // The containers use the network of this machine, where all of these ports would be open.
    HOST: '127.0.0.1',
    METRICS_HOST: '127.0.0.1',
    PORT: String(ports[0]),
  };
  url = `http://127.0.0.1:${ports[0]}`;
  gateway = startComposed(engine, 'gateway-1', {
    ...settings,
    METRICS_PORT: String(ports[1]),
    JOB_CONCURRENCY: '0',
  });
  worker = startComposed(engine, 'worker-1', { ...settings, METRICS_PORT: String(ports[2]) });
}, 1_500_000);
afterAll(async () => {
  killStartedPrograms();
  await engine?.close();
  await redis?.close();
  await postgres?.close();
});

/** Builds the last commit as Compose does, without a registry of images. */
async function buildImage(): Promise<void> {
  const context = path.join(engine.folder, 'context');
  mkdirSync(context);
  await runProgram('sh', ['-c', `git -C '${ROOT}' archive HEAD | tar -x -C '${context}'`]);
  const image = ['--tag', 'posts-gateway', '--format', 'docker'];
  await engine.run('build', '--pull=never', '--layers=false', ...image, context);
}

/** Runs an operator command in the container of the gateway, as the guide does. */
const operate = async (...words: string[]): Promise<any> =>
  JSON.parse(await gateway.exec('posts-gateway', '--json', ...words));

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

it('is smaller than 300 MB with its base, without tools, sources or servers', async () => {
  const size = Number(await engine.run('inspect', '--format', '{{.Size}}', 'posts-gateway'));
  const files = readImageFiles(await engine.run('image', 'mount', 'posts-gateway'));
  await engine.run('image', 'unmount', 'posts-gateway');
  const parts = [...measureParts(files)].map(([part, bytes]) => `${part} ${megabytes(bytes)}`);
  suite.report(`image: ${megabytes(size)} in all layers; ${parts.join(', ')}`);
  expect(size).toBeLessThan(MAX_IMAGE_BYTES);
  expect(findUnwanted(files)).toEqual([]);
});

it('starts a gateway and a worker, which its health check finds healthy', async () => {
  expect(await gateway.isHealthy()).toBe(false);
  for (const container of [gateway, worker])
    await waitUntil(() => container.isHealthy(), container.program);
  expect(await gateway.exec('posts-gateway', 'migrate', '--status')).toMatch(/applied/);
});

it('runs as an unprivileged user that cannot change the image', async () => {
  for (const container of [gateway, worker]) {
    expect(await container.exec('id', '--user', '--name')).toBe('node');
    const status = await container.exec('cat', '/proc/1/status');
    expect(status.match(/^(Uid|Cap(Prm|Eff|Bnd)|NoNewPrivs):.+$/gm)).toEqual([
      'Uid:\t1000\t1000\t1000\t1000',
      'CapPrm:\t0000000000000000',
      'CapEff:\t0000000000000000',
      'CapBnd:\t0000000000000000',
      'NoNewPrivs:\t1',
    ]);
    await expect(container.exec('touch', '/home/node/file')).rejects.toThrow(
      'Read-only file system',
    );
    await container.exec('sh', '-c', 'touch /tmp/file /data/file && rm /tmp/file /data/file');
  }
});

it('serves both APIs, and its worker publishes a post', async () => {
  const user = await operate('users', 'create', '--name', 'Ada', '--email', 'ada@example.com');
  const workspace = await operate('workspaces', 'create', '--name', 'Shop', '--owner', user.id);
  const network = ['--network', 'mastodon', '--name', 'Shop', '--social-id', '1', '--sandbox'];
  const account = await operate('accounts', 'create', '--workspace', workspace.id, ...network);
  const scope = ['--name', 'tools', '--scope', 'posts', 'accounts', 'media'];
  const key = await operate('keys', 'create', '--user', user.id, ...scope);
  const headers = {
    Authorization: `Bearer-API ${key.value}`,
    'Service-Workspace-Id': workspace.id,
    'Content-Type': 'application/json',
  };

  const query =
    'mutation($input: CreatePostsInput!) { createPosts(input: $input) { job { id } userErrors { message } } }';
  const input = {
    mode: 'SHARE_NOW',
    targets: [{ accountId: account.id }],
    post: { type: 'STATUS', text: 'The first cup of the day is on us.' },
  };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { job, userErrors } = ((await response.json()) as any).data.createPosts;
  expect(userErrors).toEqual([]);

  let result: any;
  await waitFor(async () => {
    result = await (await fetch(`${url}/v1/job_status/${job.id}`, { headers })).json();
    return result.status !== 'working';
  });
  expect(result).toMatchObject({
    status: 'completed',
    payload: { posts: [{ state: 'published_posted' }], failures: {} },
  });
});

it('reads pictures with the library of its platform', async () => {
  const script =
    'require("sharp")({create:{width:8,height:8,channels:3,background:"red"}}).png().toBuffer().then((file) => require("sharp")(file).metadata()).then(({ format, width }) => console.log(format, width))';
  expect(await gateway.exec('node', '--eval', script)).toBe('png 8');
});

it('stops in time after SIGTERM, and leaves no files', async () => {
  for (const container of [gateway, worker]) {
    expect(await container.exec('ls', '-A', '/tmp')).toBe('');
    expect(await container.exec('ls', '-A', '/data')).toBe('');
    const startedAt = performance.now();
    expect(await container.stop()).toEqual({ exitCode: 0, changes: [] });
    expect(performance.now() - startedAt).toBeLessThan(MAX_STOP_MS);
    expect(errorLinesOf(container.program)).toEqual([]);
  }
});
