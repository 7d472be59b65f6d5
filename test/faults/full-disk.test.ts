import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '../fixtures/wait-for.js';
import { recordsIn } from '../fixtures/records.js';
import { buildIfChanged, errorLinesOf, killStartedPrograms } from '../setup/started-program.js';
import { temporaryFolder } from '../setup/test-server.js';
import { startDeployment, type Deployment } from './deployment.js';
import { createGatewayClient, type GatewayClient, type GatewayRequest } from './gateway-client.js';
import { createTestPosts, type TestPosts } from './test-posts.js';

/** The service, and PostgreSQL with all of its files on a disk that fills up. */
jest.setTimeout(300_000);
const DISK_MB = 100;

let deployment: Deployment;
let client: GatewayClient;
let testPosts: TestPosts;
let accountId: string;
let disk: string;

/** Only root may mount a disk. */
const mayMount = (): boolean => {
  disk = temporaryFolder();
  const options = `size=${DISK_MB}m,mode=755`;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status === 0;
};
const ifMayMount = mayMount() ? it : it.skip;

beforeAll(async () => {
  buildIfChanged();
  const folder = path.join(disk, 'posts');
  mkdirSync(folder);
  deployment = await startDeployment({}, { folder });
  const database = await deployment.database();
  testPosts = await createTestPosts(database, { clients: 1, toDelete: 100 });
  const { id: workspaceId } = testPosts.viewer.workspace;
  accountId = (await recordsIn(database).anAccount({ workspaceId, sandbox: true })).id;
  await database.close();
  client = createGatewayClient(
    deployment.gateways.map(({ url }) => url),
    testPosts.viewer,
  );
});
afterAll(async () => {
  await client?.close();
  await deployment?.close();
  killStartedPrograms();
  spawnSync('umount', ['--lazy', disk]);
  rmdirSync(disk);
});

const filler = (): string => path.join(disk, 'filler');
function fillDisk(): void {
  const file = openSync(filler(), 'w');
  for (const bytes of [1_048_576, 4_096]) {
    const zeros = Buffer.alloc(bytes);
    try {
      while (writeSync(file, zeros) > 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}

const graphql = (query: string, variables: object = {}): GatewayRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});
const changedPost = (): string => testPosts.byClient[0]!.scheduled[0]!;
const UPDATE =
  'mutation ($id: ID!, $text: String) { updatePost(input: { id: $id, post: { text: $text } }) { post { id } } }';
const CREATE =
  'mutation ($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } userErrors { code } } }';
const UPLOAD =
  'mutation { createMediaUpload(input: { name: "a.png", bytes: 1000 }) { url userErrors { code } } }';

/** Requests of each kind, with texts that fill pages. */
const READS: Readonly<Record<string, () => GatewayRequest>> = {
  list: () => ({ method: 'GET', path: '/v1/posts?limit=5' }),
  search: () => ({ method: 'GET', path: '/v1/posts?query=first' }),
  post: () => ({ method: 'GET', path: `/v1/posts/${changedPost()}` }),
  graphql: () => graphql('{ posts(first: 50) { totalCount nodes { id text } } }'),
};
const CHANGES: Readonly<Record<string, (text: string) => GatewayRequest>> = {
  update: (text) => ({
    method: 'PUT',
    path: `/v1/posts/${changedPost()}`,
    body: { post: { text } },
  }),
  'update with a key': (text) => ({
    method: 'PUT',
    path: `/v1/posts/${testPosts.byClient[0]!.scheduled[1]}`,
    headers: { 'Idempotency-Key': text.slice(0, 10) },
    body: { post: { text } },
  }),
  'update in GraphQL': (text) => graphql(UPDATE, { id: testPosts.byClient[0]!.scheduled[2], text }),
  deletion: () => ({ method: 'DELETE', path: `/v1/posts?post_ids=${testPosts.toDelete[0]}` }),
  creation: (text) =>
    graphql(CREATE, {
      input: {
        mode: 'DRAFT',
        allowDuplicate: true,
        post: { type: 'STATUS', text },
        targets: [{ accountId }],
      },
    }),
  upload: () => graphql(UPLOAD),
};

const FULL = '503 The disk of the database is full. Retry later.';
const DOWN = '503 The database is unavailable or busy. Retry later.';
/** What a database says that gets no core: this machine may be busy. */
const LATE = /^503 The database did not respond in time\./;

/** Status and message of every answer, but of late ones. */
const answers = new Set<string>();
let sentTexts = 0;
/** Texts that the post of `update` may have: the last confirmed one, and those of unknown outcome. */
let possibleTexts: string[] = [];

async function answerTo(gateway: number, sent: GatewayRequest): Promise<string> {
  const { status, message } = await client.send(gateway, sent);
  const answer = `${status} ${message}`;
  const text = (sent.body as { post?: { text: string } } | undefined)?.post?.text;
  if (text !== undefined && sent.path.endsWith(changedPost())) {
    if (status === 200) possibleTexts = [text];
    else if (message.includes('may have been saved')) possibleTexts.push(text);
  }
  if (sent.method === 'DELETE' && answer !== FULL && answer !== DOWN) testPosts.toDelete.shift();
  if (!LATE.test(answer)) answers.add(answer);
  return answer;
}

const readEach = (gateway: number): Promise<string[]> =>
  Promise.all(Object.values(READS).map((toRequest) => answerTo(gateway, toRequest())));
const changeEach = (gateway: number): Promise<string[]> =>
  Promise.all(
    Object.values(CHANGES).map((toRequest) => {
      sentTexts += 1;
      return answerTo(gateway, toRequest(`${sentTexts} `.padEnd(400, 'x')));
    }),
  );

/** Waits until each request to each gateway gets this answer. @throws Error with the last ones */
async function waitForAnswers(
  answer: string,
  send: (gateway: number) => Promise<string[]>,
): Promise<void> {
  for (const gateway of [0, 1]) {
    let last: string[] = [];
    const isEach = async (): Promise<boolean> => {
      last = await send(gateway);
      return last.every((other) => other === answer);
    };
    await waitFor(isEach).catch(() => expect(last).toEqual(last.map(() => answer)));
  }
}

ifMayMount(
  'tells each client that the disk of the database is full, and loses nothing',
  async () => {
    const { postgres, proxy, gateways, workers } = deployment;
    await waitForAnswers('200 ', readEach);
    await waitForAnswers('200 ', changeEach);

    answers.clear();
    fillDisk();
    await waitForAnswers(FULL, changeEach); // a few changes have room in pages
    await waitForAnswers('200 ', readEach);
    expect([...answers].toSorted()).toEqual(['200 ', FULL]);

    // The server ends when it cannot begin the next file of its log, and does not start again.
    await postgres
      .admin(...Array<string>(20).fill('SELECT pg_switch_wal()'))
      .catch(() => undefined);
    await waitForAnswers(DOWN, readEach);
    await waitForAnswers(DOWN, changeEach);

    rmSync(filler());
    await postgres.start();
    proxy.forwardTo(postgres.port());
    await waitForAnswers('200 ', readEach);
    const { body } = await client.send(0, READS.post!());
    expect(possibleTexts).toContain(body.text);
    await waitForAnswers('200 ', changeEach);
    expect([...answers].filter((answer) => !/^(200 |503 The database .+)$/.test(answer))).toEqual([
      FULL,
    ]);
    for (const { log } of [...gateways, ...workers])
      expect(errorLinesOf({ errors: log })).toEqual([]);
  },
);
