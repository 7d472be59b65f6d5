// The topology of compose.yml as plain processes: two gateways behind nginx and two workers, each started again when it
// ends. Needs DATABASE_URL, REDIS_URL, and nginx and openssl on PATH. Prints a line of JSON when all is ready, and one
// whenever a process was started again: nginx's address and certificate, and each process' pid and metrics.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const PAUSE_MS = 200; // between the end of a process and its next start
const READY_WITHIN_MS = 30_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'posts-gateway-topology-'));
const settings = {
  ...process.env,
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '127.0.0.1',
  NODE_ENV: 'production',
};
const running = new Map();
let isStopping = false;
/** Says how everything stands, once it does. */
let tell = () => {};

function fail(message) {
  throw new Error(message);
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    }),
  );
}

/** Keeps one process running, as a container engine would. */
function keep(name, args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...settings, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.set(name, child);
  child.once('exit', async () => {
    await sleep(PAUSE_MS);
    if (isStopping) return;
    keep(name, args, env);
    tell();
  });
}

function certify() {
  const files = {
    CERTIFICATE: path.join(folder, 'server.crt'),
    CERTIFICATE_KEY: path.join(folder, 'server.key'),
  };
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-keyout',
    files.CERTIFICATE_KEY,
    '-out',
    files.CERTIFICATE,
  ];
  const { status, error, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) fail(`openssl is needed for the certificate: ${error?.message ?? stderr}`);
  return files;
}

/** The template of the containers inside a main configuration that keeps all its files in our folder. */
function configureNginx(values) {
  const template = readFileSync(path.join(root, 'deploy', 'nginx.conf.template'), 'utf8');
  const site = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`\${${name}}`, value),
    template,
  );
  mkdirSync(path.join(folder, 'scratch'));
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path scratch/${kind};`)
    .join('\n');
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;\npid nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n${scratch}\n${site}}\n`,
  );
  return file;
}

function nginx(file, ...more) {
  return ['-p', folder, '-e', 'stderr', '-c', file, ...more];
}

/** Looks again until something is so. */
async function until(isSo, what) {
  const last = Date.now() + READY_WITHIN_MS;
  while (!(await isSo())) {
    if (Date.now() > last) fail(`${what} within ${READY_WITHIN_MS / 1000} s`);
    await sleep(20);
  }
}

const isReady = (url) =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );

const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });

async function stop(code) {
  if (isStopping) return;
  isStopping = true;
  const ended = [...running.values()].map((child) =>
    child.exitCode !== null || child.signalCode !== null
      ? null
      : new Promise((resolve) => child.once('exit', resolve)),
  );
  for (const child of running.values()) child.kill('SIGTERM');
  await Promise.all(ended);
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop(0));
// Whatever fails, nothing that was started stays behind.
process.once('uncaughtException', ({ message }) => {
  process.stderr.write(`topology: ${message}\n`);
  void stop(1);
});

for (const name of ['DATABASE_URL', 'REDIS_URL'])
  if (!process.env[name]) fail(`${name} is not set`);
const ports = [await freePort(), await freePort()];
const listen = await freePort();
const certificate = certify();
const file = configureNginx({
  ...certificate,
  GATEWAY_1: `127.0.0.1:${ports[0]}`,
  GATEWAY_2: `127.0.0.1:${ports[1]}`,
  LISTEN: `127.0.0.1:${listen}`,
});
const check = spawnSync('nginx', nginx(file, '-t', '-q'), { encoding: 'utf8' });
if (check.status !== 0)
  fail(
    `nginx is needed, and has to take its configuration: ${check.error?.message ?? check.stderr}`,
  );

const GATEWAY = ['--max-semi-space-size=64', 'dist/main.js'];
const WORKER = ['dist/worker.js'];
const services = {
  'gateway-1': { args: GATEWAY, env: { PORT: String(ports[0]) } },
  'gateway-2': { args: GATEWAY, env: { PORT: String(ports[1]) } },
  'worker-1': { args: WORKER },
  'worker-2': { args: WORKER },
};
const metrics = {};
for (const [name, { args, env }] of Object.entries(services)) {
  const port = await freePort();
  metrics[name] = `http://127.0.0.1:${port}/metrics`;
  keep(name, args, { ...env, METRICS_PORT: String(port) });
}
await Promise.all(
  Object.entries(metrics).map(([name, url]) =>
    until(() => isReady(new URL('/readyz', url)), `${name} was not ready`),
  ),
);
running.set('nginx', spawn('nginx', nginx(file), { stdio: ['ignore', 'ignore', 'inherit'] }));
await until(() => isListening(listen), 'nginx did not listen');
tell = () => {
  const pids = Object.fromEntries([...running].map(([name, child]) => [name, child.pid]));
  process.stdout.write(
    `${JSON.stringify({ url: `https://localhost:${listen}`, certificate: certificate.CERTIFICATE, pids, metrics })}\n`,
  );
};
tell();
