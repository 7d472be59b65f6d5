import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DemoFile } from '../../src/demo/demo-file.js';
import { freePort } from '../setup/free-port.js';
import { buildWhatIsStarted, killStarted, start, until, type Started } from '../setup/started.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

// Tests look into answers of every shape; what they expect is asserted, not typed.
type Json = any;
interface Live {
  id: string;
  network: string;
  text: string;
  account: { id: string };
}
interface Ended {
  status: string;
  failures: Record<string, string[]>;
}

jest.setTimeout(60_000);

const folder = temporaryFolder();
let gateway: Started;
let host: string;
let demo: DemoFile;

/** README's command in a clean folder, and the demo that it makes. */
beforeAll(async () => {
  buildWhatIsStarted();
  const port = await freePort();
  host = `http://127.0.0.1:${port}`;
  gateway = start({ DATA_DIR: folder, PORT: String(port), RATE_LIMIT_REQUESTS: '10000' }, [
    'npm',
    'start',
  ]);
  await until(() => gateway.output().includes('See it on its network'), gateway);
  demo = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8')) as DemoFile;
});
afterAll(async () => {
  gateway.child.kill('SIGTERM');
  await gateway.exit; // which comes when the gateway behind npm, too, has let go of the output
  killStarted();
  removeFolder(folder);
});

async function ask(
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
  const answer = (await response.json()) as Json;
  expect([url, response.status, answer.errors]).toEqual([url, 200, undefined]);
  return { headers: response.headers, body: answer };
}
const graphql = async (query: string, variables: object): Promise<Json> =>
  (await ask('POST', '/graphql', { query, variables })).body.data;

/** Published posts of the demo that nobody has edited yet. */
async function untouched(network: string, types: string[]): Promise<Live[]> {
  const query =
    'query($filter: PostFilter) { posts(first: 50, filter: $filter) { nodes { id network text account { id } networkSync { status } } } }';
  const { posts } = await graphql(query, {
    filter: { states: ['PUBLISHED_POSTED'], networks: [network], types },
  });
  return posts.nodes.filter(({ networkSync }: Json) => networkSync === null);
}
const there = async ({ id }: Live): Promise<Json> => (await ask('GET', `/sandbox/${id}`)).body;
const syncOf = async ({ id }: Live): Promise<Json> =>
  (
    await graphql(
      'query($id: ID!) { post(id: $id) { version account { needsReauthorization } networkSync { status liveText error attemptedAt } } }',
      { id },
    )
  ).post;

/** Both doors: how each changes a text and gives the job of it, and how it tells of a job. */
const DOORS = {
  GraphQL: {
    change: async ({ id }: Live, text: string): Promise<string> =>
      (
        await graphql(
          'mutation($id: ID!, $text: String!) { updatePost(input: {id: $id, post: {text: $text}}) { job { id } } }',
          { id, text },
        )
      ).updatePost.job.id,
    async job(id: string): Promise<Ended> {
      const { status, failures } = (
        await graphql('query($id: ID!) { jobStatus(id: $id) { status failures { id message } } }', {
          id,
        })
      ).jobStatus;
      return {
        status: status.toLowerCase(),
        failures: Object.fromEntries(failures.map((one: Json) => [one.id, [one.message]])),
      };
    },
  },
  'REST v1': {
    change: async ({ id }: Live, text: string): Promise<string> =>
      (await ask('PUT', `/v1/posts/${id}`, { post: { text } })).headers.get('x-job-id')!,
    async job(id: string): Promise<Ended> {
      const { status, payload } = (await ask('GET', `/v1/job_status/${id}`)).body;
      return { status, failures: payload.failures };
    },
  },
} as const;

const REFUSED = 'The sandbox network says: The network does not accept the change (400, 422).';
/** How far the sandbox's clock has been moved, in seconds. */
let ahead = 0;

describe.each(Object.keys(DOORS) as (keyof typeof DOORS)[])(
  'an update of a published post over %s',
  (door) => {
    const { change, job } = DOORS[door];
    const isFirst = door === 'GraphQL';

    /** Polls a job until it has ended. */
    async function ended(id: string): Promise<Ended> {
      let seen = await job(id);
      await until(async () => (seen = await job(id)).status !== 'working', gateway);
      return seen;
    }

    it('arrives on the network', async () => {
      const post = (await untouched('MASTODON', ['STATUS']))[0]!;
      expect((await there(post)).text).toBe(post.text);
      expect(await ended(await change(post, `Over ${door}`))).toEqual({
        status: 'completed',
        failures: {},
      });
      expect(await there(post)).toMatchObject({ text: `Over ${door}`, edits: 1 });
      expect(await syncOf(post)).toMatchObject({
        networkSync: { status: 'SYNCED', liveText: `Over ${door}`, error: null },
      });
    });

    it('that the network refuses fails with its reason, and the network shows what it showed', async () => {
      const post = (await untouched('TELEGRAM', ['STATUS']))[0]!;
      await ask('PUT', `/sandbox/${post.id}/faults`, { fail: { code: 'NETWORK_REFUSED' } });
      expect(await ended(await change(post, `Refused over ${door}`))).toEqual({
        status: 'failed',
        failures: { [post.id]: [REFUSED] },
      });
      expect(await there(post)).toMatchObject({ text: post.text, edits: 0 });
      expect(await syncOf(post)).toMatchObject({
        version: 2,
        networkSync: { status: 'FAILED', liveText: post.text, error: REFUSED },
      });
    });

    it('waits for a network that asks for a pause, and arrives when that is over', async () => {
      const post = (await untouched('YOUTUBE', ['VIDEO', 'SHORT']))[0]!;
      await ask('PUT', `/sandbox/${post.id}/faults`, { rate_limit_seconds: 3_600 });
      const id = await change(post, `Late over ${door}`);
      await until(async () => (await syncOf(post)).networkSync.attemptedAt !== null, gateway);
      expect(await job(id)).toEqual({ status: 'working', failures: {} });
      expect((await there(post)).text).toBe(post.text);
      await until(async () => {
        // hastened is what waits at that moment, and the attempt may not have ended yet
        await ask('PUT', '/sandbox/clock', { advance_seconds: (ahead += 3_600) });
        return (await job(id)).status !== 'working';
      }, gateway);
      expect(await job(id)).toEqual({ status: 'completed', failures: {} });
      expect(await there(post)).toMatchObject({ text: `Late over ${door}`, edits: 1 });
    });

    it('of a post that was deleted there fails, and the post says so', async () => {
      const post = (await untouched('GOOGLE', ['STATUS', 'LINK', 'PHOTO']))[0]!;
      await ask('DELETE', `/sandbox/${post.id}`);
      expect(await ended(await change(post, 'Nobody will see it'))).toEqual({
        status: 'failed',
        failures: {
          [post.id]: ['The sandbox network says: The post is no longer on the network (404, 410).'],
        },
      });
      expect((await ask('GET', `/v1/posts/${post.id}`)).body.state).toBe('published_deleted');
    });

    it('of an account whose token has expired fails, and its posts wait until it is connected again', async () => {
      const post = (
        await untouched(
          isFirst ? 'FACEBOOK' : 'WORDPRESS',
          isFirst ? ['LINK', 'PHOTO'] : ['ARTICLE'],
        )
      )[0]!;
      const ids = async (state: string): Promise<string[]> =>
        (await ask('GET', `/v1/posts?state=${state}&account_ids[]=${post.account.id}`)).body.posts
          .map((one: Json) => one.id)
          .sort();
      const before = await ids('scheduled');
      expect(before.length).toBeGreaterThan(0);
      await ask('PUT', `/sandbox/${post.id}/faults`, { token_expired: true });
      const changed = isFirst
        ? change(post, 'Who am I?')
        : ask('PUT', `/v1/posts/${post.id}`, { post: { title: 'Who am I?' } }).then(({ headers }) =>
            headers.get('x-job-id')!,
          );
      expect(await ended(await changed)).toEqual({
        status: 'failed',
        failures: {
          [post.id]: [
            'The sandbox network says: The network no longer takes the account’s credentials (401).',
          ],
        },
      });
      expect(await syncOf(post)).toMatchObject({
        account: { needsReauthorization: true },
        networkSync: { status: 'FAILED', liveText: isFirst ? post.text : null },
      });
      expect(await ids('scheduled_reauth')).toEqual(before);
      await ask('DELETE', `/sandbox/${post.id}/faults`);
      expect(await ids('scheduled_reauth')).toEqual([]);
      expect(await ids('scheduled')).toEqual(before);
    });
  },
);
