import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DemoFile } from '../../src/demo/demo-file.js';
import { freePort } from '../setup/free-port.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
  type StartedProgram,
} from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

// Responses of every shape are asserted instead of typed.
type Json = any;
interface LivePost {
  id: string;
  network: string;
  text: string;
  account: { id: string };
}
interface FinishedJob {
  status: string;
  failures: Record<string, string[]>;
}

const folder = temporaryFolder();
let gateway: StartedProgram;
let host: string;
let demo: DemoFile;

/** Runs the command of the README in an empty folder, which creates the demo. */
beforeAll(async () => {
  buildIfChanged();
  const port = await freePort();
  host = `http://127.0.0.1:${port}`;
  const settings = { DATA_DIR: folder, PORT: String(port), RATE_LIMIT_REQUESTS: '10000' };
  gateway = startProgram({ ...settings, PUBLISH_POSTS: '0' }, ['npm', 'start']);
  await waitUntil(() => gateway.output().includes('See it on its network'), gateway);
  demo = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8')) as DemoFile;
});
afterAll(async () => {
  gateway.child.kill('SIGTERM');
  await gateway.exit; // resolves when the gateway behind npm has closed its output too
  killStartedPrograms();
  removeFolder(folder);
});

async function send(
  method: string,
  url: string,
  body?: unknown,
): Promise<{ headers: Headers; body: Json }> {
  const headers = {
    Authorization: `Bearer-API ${demo.apiKey}`,
    'Service-Workspace-Id': demo.workspaceId,
    'Content-Type': 'application/json',
  };
  const response = await fetch(host + url, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Json;
  expect([url, response.status, json.errors]).toEqual([url, 200, undefined]);
  return { headers: response.headers, body: json };
}
const graphql = async (query: string, variables: object): Promise<Json> =>
  (await send('POST', '/graphql', { query, variables })).body.data;

/** Published posts of the demo that have not been edited. */
async function uneditedPosts(network: string, types: string[]): Promise<LivePost[]> {
  const query =
    'query($filter: PostFilter) { posts(first: 50, filter: $filter) { nodes { id network text account { id } networkSync { status } } } }';
  const { posts } = await graphql(query, {
    filter: { states: ['PUBLISHED_POSTED'], networks: [network], types },
  });
  return posts.nodes.filter(({ networkSync }: Json) => networkSync === null);
}
const readRemotePost = async ({ id }: LivePost): Promise<Json> =>
  (await send('GET', `/sandbox/${id}`)).body;
const readSync = async ({ id }: LivePost): Promise<Json> =>
  (
    await graphql(
      'query($id: ID!) { post(id: $id) { version account { needsReauthorization } networkSync { status liveText error attemptedAt } } }',
      { id },
    )
  ).post;

/** How each API changes a text and returns its job, and how it returns the status of a job. */
const APIS = {
  GraphQL: {
    change: async ({ id }: LivePost, text: string): Promise<string> =>
      (
        await graphql(
          'mutation($id: ID!, $text: String!) { updatePost(input: {id: $id, post: {text: $text}}) { job { id } } }',
          { id, text },
        )
      ).updatePost.job.id,
    async job(id: string): Promise<FinishedJob> {
      const { status, failures } = (
        await graphql('query($id: ID!) { jobStatus(id: $id) { status failures { id message } } }', {
          id,
        })
      ).jobStatus;
      return {
        status: status.toLowerCase(),
        failures: Object.fromEntries(
          failures.map((failure: Json) => [failure.id, [failure.message]]),
        ),
      };
    },
  },
  'REST v1': {
    change: async ({ id }: LivePost, text: string): Promise<string> =>
      (await send('PUT', `/v1/posts/${id}`, { post: { text } })).headers.get('x-job-id')!,
    async job(id: string): Promise<FinishedJob> {
      const { status, payload } = (await send('GET', `/v1/job_status/${id}`)).body;
      return { status, failures: payload.failures };
    },
  },
} as const;

const NETWORK_REJECTED = 'Sandbox network: The network rejected the change.';
/** Seconds by which the sandbox clock is ahead. */
let secondsAhead = 0;

describe.each(Object.keys(APIS) as (keyof typeof APIS)[])(
  'an update of a published post over %s',
  (api) => {
    const { change, job } = APIS[api];
    const isFirst = api === 'GraphQL';

    /** Polls a job until it has finished. */
    async function waitForJob(id: string): Promise<FinishedJob> {
      let latest = await job(id);
      await waitUntil(async () => (latest = await job(id)).status !== 'working', gateway);
      return latest;
    }

    it('reaches the network', async () => {
      const post = (await uneditedPosts('MASTODON', ['STATUS']))[0]!;
      expect((await readRemotePost(post)).text).toBe(post.text);
      expect(await waitForJob(await change(post, `Over ${api}`))).toEqual({
        status: 'completed',
        failures: {},
      });
      expect(await readRemotePost(post)).toMatchObject({ text: `Over ${api}`, edits: 1 });
      expect(await readSync(post)).toMatchObject({
        networkSync: { status: 'SYNCED', liveText: `Over ${api}`, error: null },
      });
    });

    it('that the network rejects fails with the reason, and the remote post is unchanged', async () => {
      const post = (await uneditedPosts('TELEGRAM', ['STATUS']))[0]!;
      await send('PUT', `/sandbox/${post.id}/faults`, { fail: { code: 'NETWORK_REFUSED' } });
      expect(await waitForJob(await change(post, `Rejected over ${api}`))).toEqual({
        status: 'failed',
        failures: { [post.id]: [NETWORK_REJECTED] },
      });
      expect(await readRemotePost(post)).toMatchObject({ text: post.text, edits: 0 });
      expect(await readSync(post)).toMatchObject({
        version: 2,
        networkSync: { status: 'FAILED', liveText: post.text, error: NETWORK_REJECTED },
      });
    });

    it('waits while the network is rate limited, and reaches it afterwards', async () => {
      const post = (await uneditedPosts('YOUTUBE', ['VIDEO', 'SHORT']))[0]!;
      await send('PUT', `/sandbox/${post.id}/faults`, { rate_limit_seconds: 3_600 });
      const id = await change(post, `Late over ${api}`);
      await waitUntil(async () => (await readSync(post)).networkSync.attemptedAt !== null, gateway);
      expect(await job(id)).toEqual({ status: 'working', failures: {} });
      expect((await readRemotePost(post)).text).toBe(post.text);
      await waitUntil(async () => {
        // Moving the clock affects waiting jobs only, and the attempt may still be running.
        await send('PUT', '/sandbox/clock', { advance_seconds: (secondsAhead += 3_600) });
        return (await job(id)).status !== 'working';
      }, gateway);
      expect(await job(id)).toEqual({ status: 'completed', failures: {} });
      expect(await readRemotePost(post)).toMatchObject({ text: `Late over ${api}`, edits: 1 });
    });

    it('of a post that was deleted on the network fails, and the post has that state', async () => {
      const post = (await uneditedPosts('GOOGLE', ['STATUS', 'LINK', 'PHOTO']))[0]!;
      await send('DELETE', `/sandbox/${post.id}`);
      expect(await waitForJob(await change(post, 'Never published'))).toEqual({
        status: 'failed',
        failures: {
          [post.id]: ['Sandbox network: The post no longer exists on the network.'],
        },
      });
      expect((await send('GET', `/v1/posts/${post.id}`)).body.state).toBe('published_deleted');
    });

    it('of an account with an expired token fails, and its posts wait until it is reconnected', async () => {
      const post = (
        await uneditedPosts(
          isFirst ? 'FACEBOOK' : 'WORDPRESS',
          isFirst ? ['LINK', 'PHOTO'] : ['ARTICLE'],
        )
      )[0]!;
      const idsOnPage = async (state: string, page: number): Promise<string[]> =>
        (
          await send(
            'GET',
            `/v1/posts?state=${state}&account_ids[]=${post.account.id}&page=${page}`,
          )
        ).body.posts.map(({ id }: Json) => id);
      const ids = async (state: string): Promise<string[]> => {
        const found: string[] = [];
        for (let page = 0, ids = ['']; ids.length > 0; page++)
          found.push(...(ids = await idsOnPage(state, page)));
        return found.sort();
      };
      const all = await ids('scheduled');
      // Locked posts stay locked, whatever happens to their account.
      const locked = await ids('scheduled_locked');
      const before = all.filter((id) => !locked.includes(id));
      expect(before.length).toBeGreaterThan(0);
      await send('PUT', `/sandbox/${post.id}/faults`, { token_expired: true });
      const changed = isFirst
        ? change(post, 'Who am I?')
        : send('PUT', `/v1/posts/${post.id}`, { post: { title: 'Who am I?' } }).then(
            ({ headers }) => headers.get('x-job-id')!,
          );
      expect(await waitForJob(await changed)).toEqual({
        status: 'failed',
        failures: {
          [post.id]: ['Sandbox network: The network no longer accepts the account’s credentials.'],
        },
      });
      expect(await readSync(post)).toMatchObject({
        account: { needsReauthorization: true },
        networkSync: { status: 'FAILED', liveText: isFirst ? post.text : null },
      });
      expect(await ids('scheduled_reauth')).toEqual(before);
      await send('DELETE', `/sandbox/${post.id}/faults`);
      expect(await ids('scheduled_reauth')).toEqual([]);
      expect(await ids('scheduled')).toEqual(all);
    });
  },
);
