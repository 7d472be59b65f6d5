import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { blocksOf } from './clients/guide-blocks.js';
import { openProgramFolder } from './clients/guide-programs.js';
import { startDemo, type StartedDemo } from './started-demo.js';

/** A proxy in front of the gateway that disturbs the first changes of a program. */
interface FaultyProxy {
  readonly url: string;
  /** What happened to each change, in order. */
  readonly changes: string[];
  close(): void;
}

const isChange = (method: string, body: string): boolean =>
  method === 'PUT' || body.includes('mutation');

/** Changes a post behind the back of the program, after it has read it. */
async function changePost({ url, demo }: StartedDemo, id: string): Promise<void> {
  const headers = {
    Authorization: `Bearer-API ${demo.keys.admin}`,
    'Service-Workspace-Id': demo.workspaceId,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ post: { labels: [{ name: `Changed by another ${Date.now()}` }] } });
  const response = await fetch(`${url}/v1/posts/${id}`, { method: 'PUT', headers, body });
  expect(response.status).toBe(200);
}

/** The ID of the post that a change concerns. */
const postIdOf = (path: string, body: string): string => /\b[0-9a-f]{24}\b/.exec(path + body)![0];

async function openFaultyProxy(gateway: StartedDemo): Promise<FaultyProxy> {
  const changes: string[] = [];
  const server = http.createServer((request, response) => {
    const handle = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = request;
      const body = (await buffer(request)).toString();
      const number = isChange(method, body) ? changes.length : -1;
      if (number === 0) {
        changes.push('rate limited');
        response.writeHead(429, { 'Retry-After': '1' }).end('{"error":"Rate limit exceeded."}');
        return;
      }
      if (number === 1) await changePost(gateway, postIdOf(path, body));
      const upstream = http.request(gateway.url, { method, path, headers }).end(body);
      const [answer] = (await once(upstream, 'response')) as [http.IncomingMessage];
      const bytes = await buffer(answer);
      if (number === 2) {
        changes.push('response lost');
        response.destroy();
        return;
      }
      const isReplay = answer.headers['idempotency-replayed'] === 'true';
      if (number >= 0)
        changes.push(
          /CONFLICT/.test(bytes.toString()) ? 'conflict' : isReplay ? 'replayed' : 'done',
        );
      response.writeHead(answer.statusCode!, answer.rawHeaders).end(bytes);
    };
    handle().catch((error: Error) => response.destroy(error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    changes,
    close: () => server.close().closeAllConnections(),
  };
}

let gateway: StartedDemo;
let proxy: FaultyProxy;
beforeAll(async () => {
  gateway = await startDemo();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  proxy = await openFaultyProxy(gateway);
});
afterEach(() => proxy.close());

const folder = openProgramFolder(() => ({ url: proxy.url, demo: gateway.demo }));
/** For programs that do not expect faults. */
const quietFolder = openProgramFolder(() => gateway);
afterAll(() => [folder, quietFolder].forEach((one) => one.remove()));
const [v1, graphql, sync, review, ...others] = blocksOf('js', 'docs/example-programs.md');

it('docs/example-programs.md has a program for REST v1 that survives a limit, a conflict and a lost response', async () => {
  expect(others).toEqual([]);
  const [count, job] = await folder.outputOf('v1', v1!);
  expect(count).toMatch(/^[1-9]\d+ published posts$/);
  expect(Number.parseInt(count!, 10)).toBeGreaterThan(10); // more than a page
  expect(job).toBe('completed {}');
  expect(proxy.changes).toEqual(['rate limited', 'conflict', 'response lost', 'replayed']);
});

it('docs/example-programs.md has a program for GraphQL that waits for a job, with the same faults', async () => {
  expect(await folder.outputOf('graphql', graphql!)).toEqual(['COMPLETED [] SYNCED']);
  expect(proxy.changes.slice(0, 3)).toEqual(['rate limited', 'conflict', 'response lost']);
  expect(proxy.changes).toHaveLength(4);
});

it('docs/example-programs.md has a program that creates the posts of a table, in Python', async () => {
  const [create] = blocksOf('python', 'docs/example-programs.md');
  const env = {
    ...process.env,
    HOST: gateway.url,
    KEY: gateway.demo.apiKey,
    WORKSPACE: gateway.demo.workspaceId,
  };
  const { stdout } = await promisify(execFile)('python3', ['-c', create!], { env });
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^[0-9a-f]{24} scheduled 2030-03-01T16:00:00\+00:00$/),
    expect.stringMatching(/^[0-9a-f]{24} scheduled 2030-03-01T16:05:00\+00:00$/),
  ]);
});

it('docs/example-programs.md has programs that keep a copy, and that review posts', async () => {
  const [count] = await quietFolder.outputOf('sync', sync!);
  expect(count).toMatch(/^\d{3} posts$/);
  expect(await quietFolder.outputOf('sync', sync!)).toEqual([count]);
  const reviewed = await quietFolder.outputOf('review', review!);
  expect(reviewed.length).toBeGreaterThan(0);
  for (const line of reviewed) expect(line).toMatch(/^APPROVE [0-9a-f]{24} done$/);
});
