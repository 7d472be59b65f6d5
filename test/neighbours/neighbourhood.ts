import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../lab/load/statistics.js';
import { startGateways, type GatewayProcesses } from '../fixtures/gateway-processes.js';
import { gatewaysOf, openRoute, type Route, type RouteName } from './route.js';
import { aForm, aPicture } from '../fixtures/media-files.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { waitFor } from '../fixtures/wait-for.js';
import { buildIfChanged } from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

/** Gateways with two workspaces: one attacks, the other works. */
export interface Neighbourhood {
  readonly route: Route;
  readonly gateways: GatewayProcesses;
  /** A new ordinary member with an ordinary key, whose requests come from `ATTACKER_ADDRESS`. */
  anAttacker(): Promise<KeyedViewer>;
  /** Reads, changes and publishes for as long as a promise is pending. */
  workUntil(over: Promise<unknown>): Promise<Work>;
  /** Largest resident memory of a gateway since it was started or `resetPeak`, in MB. */
  peakMb(): number;
  resetPeak(): void;
  close(): Promise<void>;
}

/** What the neighbour experienced. */
export interface Work {
  readonly requests: number;
  /** Responses other than 200 and 202, as `status body`; the status of a lost one is 0. */
  readonly failures: readonly string[];
  /** In milliseconds. */
  readonly p99: number;
  readonly publicationDelays: readonly number[];
}

/** Another address of this machine than that of the neighbour. */
export const ATTACKER_ADDRESS = '127.0.0.2';

const CREATE =
  'mutation ($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } } }';
const STATE = 'query ($id: ID!) { post(id: $id) { state } }';
const LIST = '{ posts(first: 25) { totalCount nodes { id state text } } }';
const POSTS = 20;
const CLIENTS = 4;
const PAUSE_MS = 20;

/** Starts the gateways of a route. */
export async function openNeighbourhood(
  name: RouteName,
  settings: Readonly<Record<string, string>>,
): Promise<Neighbourhood> {
  buildIfChanged();
  const folder = temporaryFolder();
  const gateways = await startGateways(
    {
      MAX_CONCURRENT_REQUESTS: '64',
      DATABASE_POOL_SIZE: '5',
      DATA_DIR: folder,
      ...(name !== 'direct' && { TRUSTED_PROXIES: '127.0.0.1' }),
      ...settings,
    },
    gatewaysOf(name),
  );
  const { records, processes } = gateways;
  const route = await openRoute(
    name,
    processes.map(({ url }) => Number(new URL(url).port)),
  );
  const neighbour = await records.aViewer({ name: 'Nina', rateLimitOverride: 1_000_000_000 });
  const anAccount = () => records.anAccount({ workspaceId: neighbour.workspace.id, sandbox: true });
  const account = await anAccount();
  const ids: string[] = [];
  for (let post = 0; post < POSTS; post += 1)
    ids.push((await records.aPost({ by: neighbour, account, text: `Post ${post}` })).id);
  const file = await upload(route, { viewer: neighbour, content: await aPicture() });
  const pids = processes.map(({ child }) => child.pid!);
  const peakKb = (pid: number): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

  return {
    route,
    gateways,
    anAttacker: () => records.aViewer({ name: 'Mallory' }),
    async workUntil(over) {
      const { id: accountId } = await anAccount(); // an account has a daily cap
      return work({ route, neighbour, accountId, ids, file }, over);
    },
    peakMb: () => Math.max(...pids.map(peakKb)) / 1024,
    resetPeak: () => pids.forEach((pid) => writeFileSync(`/proc/${pid}/clear_refs`, '5')),
    async close() {
      await route.close();
      await gateways.close();
      removeFolder(folder);
    },
  };
}

/** The headers that name a caller. */
export const headersOf = ({ apiKey, workspace }: KeyedViewer): Record<string, string> => ({
  Authorization: `Bearer-API ${apiKey}`,
  'Service-Workspace-Id': workspace.id,
});

/** Adds a file to the media library, and returns its path. @throws Error unless it succeeds */
export async function upload(
  { send }: Pick<Route, 'send'>,
  { viewer, content }: { readonly viewer: KeyedViewer; readonly content: Uint8Array },
): Promise<string> {
  const form = new Response(aForm(content));
  const { status, text } = await send('/v1/media', {
    method: 'POST',
    headers: { ...headersOf(viewer), 'Content-Type': form.headers.get('content-type')! },
    body: Buffer.from(await form.arrayBuffer()),
  });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return new URL((JSON.parse(text) as { path: string }).path).pathname;
}

interface Worker {
  readonly route: Route;
  readonly neighbour: KeyedViewer;
  readonly accountId: string;
  readonly ids: readonly string[];
  /** Path of a file. */
  readonly file: string;
}

async function work(
  { route, neighbour, accountId, ids, file }: Worker,
  over: Promise<unknown>,
): Promise<Work> {
  const latencies: number[] = [];
  const failures: string[] = [];
  const publicationDelays: number[] = [];
  let isOver = false;
  const ended = over.finally(() => {
    isOver = true;
  });

  /** The body of the response; null if the request fails. */
  async function send(path: string, method = 'GET', body?: unknown): Promise<any> {
    const since = performance.now();
    const { status, text } = await route.send(path, {
      method,
      headers: {
        ...headersOf(neighbour),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    latencies.push(performance.now() - since);
    if (status === 200 || status === 202) return JSON.parse(text);
    failures.push(`${status} ${text}`);
    return null;
  }
  async function graphql(query: string, variables = {}): Promise<any> {
    const answer = await send('/graphql', 'POST', { query, variables });
    if (answer?.errors) failures.push(`200 ${JSON.stringify(answer.errors)}`);
    return answer?.data ?? null;
  }

  async function readAndChange(first: number): Promise<void> {
    for (let n = first; !isOver; n += 1) {
      const path = `/v1/posts/${ids[n % ids.length]}`;
      await graphql(LIST);
      await send(path);
      await send(path, 'PUT', { post: { text: `Text ${n}` } });
      await sleep(PAUSE_MS);
    }
  }

  async function transferFiles(): Promise<void> {
    const content = await aPicture();
    for (; !isOver; await sleep(PAUSE_MS)) {
      const since = performance.now();
      const { status, text } = await route.send(file);
      if (status !== 200) failures.push(`${status} ${text}`);
      await upload(route, { viewer: neighbour, content }).catch((error: unknown) =>
        failures.push(String(error)),
      );
      latencies.push(performance.now() - since);
    }
  }

  async function publish(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const post = { type: 'STATUS', text: `Now ${n}` };
      const input = { mode: 'SHARE_NOW', allowDuplicate: true, post, targets: [{ accountId }] };
      const created = await graphql(CREATE, { input });
      if (created === null) continue;
      const [{ id }] = created.createPosts.posts;
      const since = performance.now();
      await waitFor(async () => (await graphql(STATE, { id }))?.post.state === 'PUBLISHED_POSTED');
      publicationDelays.push(performance.now() - since);
    }
  }

  await Promise.all([
    ended,
    publish(),
    transferFiles(),
    ...Array.from({ length: CLIENTS }, (_, client) => readAndChange(client)),
  ]);
  return {
    requests: latencies.length,
    failures,
    p99: percentile(latencies, 0.99),
    publicationDelays,
  };
}
