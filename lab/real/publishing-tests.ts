import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Network } from '../../src/domain/networks/networks.js';
import type { Account, Post } from '../../src/domain/posts/post.js';
import type { Credentials, AccountType } from '../../src/domain/networks/network-definition.js';
import { anOperator, piped } from '../../test/fixtures/operator.js';
import { testPublishing, type TestPublishing } from '../../test/fixtures/publishing.js';
import type { KeyedViewer } from '../../test/fixtures/records.js';
import { aWorkerProcess, type WorkerProcess } from '../../test/fixtures/worker-process.js';
import { buildIfChanged, killStartedPrograms } from '../../test/setup/started-program.js';
import { suite } from '../../test/setup/suite.js';
import { openPublishGate, type Interruption, type PublishGate } from './publish-gate.js';
import type { Media } from '../../src/domain/posts/post-content.js';

/** A network that posts are really published on. */
export interface RealNetwork {
  readonly network: Network;
  readonly accountType: AccountType;
  readonly url: string;
  /** `METHOD path` of the call that publishes. */
  readonly publishingCall: RegExp;
  /** Environment of the workers, besides the settings. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The credentials of an account, for the network at this URL. */
  credentials(url: string): Credentials;
  /** A post that is recognized by its marker, a word. */
  post(marker: string): Partial<Post>;
  /** Whether the API deletes posts. */
  readonly removes: boolean;
  /** Address and ID of each post with the marker that readers of the network see. */
  find(marker: string): Promise<readonly { readonly remoteId: string }[]>;
}

/** `npm run test:<network> -- --rounds n`. */
const ROUNDS = suite.number('rounds', 4);
const MAX_ROUND_MS = 60_000;

interface Round {
  readonly name: string;
  readonly when: Interruption;
  readonly isKilled: boolean;
}
const KINDS: readonly Round[] = [
  { name: 'killed after the network took the post', when: 'after', isKilled: true },
  { name: 'killed before the network got the post', when: 'before', isKilled: true },
  { name: 'cut off after the network took the post', when: 'after', isKilled: false },
  { name: 'cut off before the network got the post', when: 'before', isKilled: false },
];

/**
 * Tests publication on a real network by workers: with one call, and with workers that are killed
 * between arming an attempt and recording its result.
 */
export function testRealPublishing(connectNetwork: () => RealNetwork): void {
  let network: RealNetwork;
  let publishing: TestPublishing;
  let gate: PublishGate;
  let by: KeyedViewer;
  let account: Account;
  let worker: WorkerProcess;
  let settings: { DATABASE_URL: string } & Record<string, string>;

  beforeAll(async () => {
    network = connectNetwork();
    buildIfChanged();
    publishing = await testPublishing();
    gate = await openPublishGate(network.url, network.publishingCall);
    by = await publishing.aViewer();
    settings = {
      DATABASE_URL: publishing.database.url,
      CREDENTIALS_KEY: randomBytes(32).toString('base64'),
      NETWORKS_ALLOW_LOOPBACK: '1',
    };
    account = await connectAccount();
    worker = await startWorker();
  });
  afterAll(async () => {
    killStartedPrograms();
    await worker?.exit;
    await gate?.close();
    await publishing?.database.drop();
  });

  const startWorker = (): Promise<WorkerProcess> =>
    aWorkerProcess({ ...settings, ...network.environment });

  async function connectAccount(): Promise<Account> {
    const { id, name, socialId } = await anOperator(
      () => settings,
      () => piped(JSON.stringify(network.credentials(gate.url))),
    ).json('accounts', 'connect', network.network, '--workspace', by.workspace.id, '--stdin');
    return {
      id,
      name,
      socialId,
      type: network.accountType,
      network: network.network,
      picture: null,
      needsReauth: false,
      sandbox: false,
    };
  }

  /** Waits until the publication of the post is over; the pauses between looks are skipped. */
  async function settle(post: Post): Promise<void> {
    const deadline = Date.now() + MAX_ROUND_MS;
    while ((await publishing.publicationOf(by, post))?.publishedAt === null) {
      if (Date.now() > deadline)
        throw new Error(`not settled: ${JSON.stringify(await publishing.publicationOf(by, post))}`);
      await publishing.letTimePassWhileIdle(5);
      await delay(200);
    }
  }

  async function duePost(marker: string): Promise<Post> {
    const { media = [], ...content } = network.post(marker);
    const stored: Media[] = [];
    for (const { type, url, altText } of media)
      stored.push(await publishing.aMedia({ workspaceId: by.workspace.id, type, url, altText }));
    return publishing.aDuePost({ by, account, ...content, media: stored });
  }

  it('publishes a post when its time has come', async () => {
    const post = await duePost('punctual');
    await settle(post);
    const [copy, ...others] = await network.find('punctual');
    expect(others).toEqual([]);
    expect(await publishing.publicationOf(by, post)).toMatchObject({
      status: 'published',
      remoteId: copy!.remoteId,
      url: expect.stringMatching(/^https?:\/\//),
      attempts: 1,
      error: null,
    });
  });

  it('removes a published post, or says why it stays', async () => {
    const post = await duePost('withdrawn');
    await settle(post);
    const before = await publishing.storedPost(by, post.id);
    const outcome = await publishing.act(by, [post], { kind: 'unpublish' });
    if (outcome.kind === 'refused' || !outcome.job) throw new Error('no job was created');
    const where = { id: outcome.job.id };
    const jobOf = () => publishing.database.prisma.job.findUniqueOrThrow({ where });
    const deadline = Date.now() + MAX_ROUND_MS;
    while ((await jobOf()).status === 'working') {
      if (Date.now() > deadline) throw new Error('the job has not finished');
      await publishing.letTimePassWhileIdle(20);
      await delay(200);
    }
    const { status, failures } = await jobOf();
    const after = await publishing.storedPost(by, post.id);
    if (network.removes) {
      expect([status, failures]).toEqual(['completed', []]);
      expect(after).toMatchObject({ storedState: 'published_deleted', postLink: null });
      expect(await network.find('withdrawn')).toEqual([]);
    } else {
      expect([status, failures]).toEqual(['failed', [expect.objectContaining({ id: post.id })]]);
      expect(after).toMatchObject({ storedState: 'published_posted', postLink: before.postLink });
      expect(await network.find('withdrawn')).toHaveLength(1);
    }
  });

  it(
    'publishes each post once when workers are killed and calls are cut off',
    async () => {
      const results: { round: string; copies: number; isLinked: boolean }[] = [];
      for (let number = 0; number < ROUNDS; number += 1) {
        const { name, when, isKilled } = KINDS[number % KINDS.length]!;
        const marker = `round${number}x${randomBytes(3).toString('hex')}`;
        const interrupted = gate.interrupt(when, isKilled ? () => worker.kill() : async () => {});
        const post = await duePost(marker);
        await interrupted;
        if (isKilled) {
          await publishing.sql(
            "UPDATE job SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL",
          );
          worker = await startWorker();
        }
        await settle(post);
        const copies = await network.find(marker);
        const publication = await publishing.publicationOf(by, post);
        results.push({
          round: name,
          copies: copies.length,
          isLinked: copies[0]?.remoteId === publication!.remoteId,
        });
      }
      suite.report(`${ROUNDS} interrupted publications: each post is there once`);
      expect(results).toEqual(results.map(({ round }) => ({ round, copies: 1, isLinked: true })));
    },
    120_000 + ROUNDS * MAX_ROUND_MS,
  );
}
