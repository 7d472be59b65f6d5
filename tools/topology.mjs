// Runs the topology of compose.yml as plain processes: two gateways behind nginx and two workers,
// each restarted when it exits. Requires DATABASE_URL, REDIS_URL, and nginx and openssl on PATH.
// Prints a line of JSON when all processes are ready and after each restart: the URL and
// certificate of nginx, and the pid and metrics URL of each process.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { configureNginx, createCertificate, nginxArguments } from './nginx.mjs';

// Debian installs nginx in a folder that is not on the path of ordinary users.
process.env.PATH += ':/usr/sbin';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const RESTART_DELAY_MS = 200; // between the exit of a process and its restart
const READY_TIMEOUT_MS = 30_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'posts-gateway-topology-'));
const listen = await freePort();
const settings = {
  MEDIA_BASE_URL: `https://localhost:${listen}`,
  ...process.env,
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '127.0.0.1',
  NODE_ENV: 'production',
};
const running = new Map();
let isStopping = false;
/** Prints the state of the topology; does nothing until all processes are ready. */
let printState = () => {};

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

/** Starts a process and restarts it when it exits, as a container engine does. */
function supervise(name, args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...settings, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.set(name, child);
  const restart = async () => {
    await sleep(RESTART_DELAY_MS);
    if (isStopping) return;
    supervise(name, args, env);
    printState();
  };
  child.once('exit', () => void restart());
}

/** Polls until `condition` is true. @throws Error after READY_TIMEOUT_MS */
async function waitFor(condition, failure) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) fail(`${failure} within ${READY_TIMEOUT_MS / 1000} s`);
    await sleep(20);
  }
}

const isReady = (url) =>
  fetch(url).then(
    (response) => response.ok,
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
  const exits = [...running.values()]
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    .map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of running.values()) child.kill('SIGTERM');
  await Promise.all(exits);
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop(0));
// On any error, stop all processes.
process.once('uncaughtException', ({ message }) => {
  process.stderr.write(`topology: ${message}\n`);
  void stop(1);
});

for (const name of ['DATABASE_URL', 'REDIS_URL'])
  if (!process.env[name]) fail(`${name} is not set`);
const ports = [await freePort(), await freePort()];
const certificate = createCertificate(folder);
configureNginx(folder, {
  ...certificate,
  GATEWAY_1: `127.0.0.1:${ports[0]}`,
  GATEWAY_2: `127.0.0.1:${ports[1]}`,
  LISTEN: `127.0.0.1:${listen}`,
});

const GATEWAY = [
  '--max-semi-space-size=64',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  'dist/main.js',
];
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
  supervise(name, args, { ...env, METRICS_PORT: String(port) });
}
await Promise.all(
  Object.entries(metrics).map(([name, url]) =>
    waitFor(() => isReady(new URL('/readyz', url)), `${name} was not ready`),
  ),
);
running.set(
  'nginx',
  spawn('nginx', nginxArguments(folder), { stdio: ['ignore', 'ignore', 'inherit'] }),
);
await waitFor(() => isListening(listen), 'nginx did not listen');
printState = () => {
  const pids = Object.fromEntries([...running].map(([name, child]) => [name, child.pid]));
  process.stdout.write(
    `${JSON.stringify({ url: `https://localhost:${listen}`, certificate: certificate.CERTIFICATE, pids, metrics })}\n`,
  );
};
printState();
