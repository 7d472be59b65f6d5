import { EMPTY_CHANGE } from '../../src/domain/changes/change.js';
import { toActor } from '../../src/domain/access/viewer.js';
import { readPostId } from '../../src/domain/posts/post.js';
import { isDraft, isPrivateDraft, type StoredState } from '../../src/domain/posts/states.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { startGateways, type GatewayProcesses } from '../fixtures/gateway-processes.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { settled } from '../fixtures/settled.js';
import { buildIfChanged, errorLinesOf, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { randomOf, runClients } from './environment.js';
import { createGatewayClient, mutation, type GatewayClient } from './gateway-client.js';
import { createMirror, readList, type Mirror } from './mirror.js';

jest.setTimeout(1_800_000);

const PROCESSES = 4;
const WRITERS = 8;
const STEPS = 8;

let gateways: GatewayProcesses;
let client: GatewayClient;
let members: KeyedViewer[];
beforeAll(async () => {
  buildIfChanged();
  gateways = await startGateways({ RATE_LIMIT_REQUESTS: '1000000000' }, PROCESSES);
  client = createGatewayClient(gateways.processes.map(({ url }) => url));
  const { records } = gateways;
  const owner = await records.aViewer({ name: 'Olga' });
  const workspaceId = owner.workspace.id;
  members = [
    owner,
    await records.aViewer({ workspaceId, name: 'Ada', role: 'admin' }),
    await records.aViewer({ workspaceId, name: 'Ed', postActions: true }),
  ];
});
afterAll(async () => {
  await client.close();
  await gateways.close();
  killStartedPrograms();
});

const hoursFromNow = (hours: number): string =>
  new Date(Math.ceil(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString();

/** Posts that writers change, with their creators. */
const created: { id: string; creator: KeyedViewer }[] = [];

async function create(writer: number, as: KeyedViewer): Promise<void> {
  const { body } = await client.send(
    writer,
    mutation(
      as,
      'createPosts',
      {
        targets: [],
        post: { type: 'STATUS', text: `Post ${Math.random()}` },
        mode: 'DRAFT',
        visibility: randomOf(['PRIVATE', 'PRIVATE', 'ACCOUNT', 'PUBLIC']),
        ...(Math.random() < 0.5 && { scheduledAt: hoursFromNow(1 + Math.random() * 100) }),
      },
      'posts { id }',
    ),
  );
  // Without data if the gateway was overloaded: then it may or may not have created the post.
  for (const { id } of body.data?.createPosts?.posts ?? []) created.push({ id, creator: as });
}

/** One of the newest posts as often as any other: clients that have just started read them. */
const RECENT = 6;
const aCreatedPost = () =>
  Math.random() < 0.5 ? randomOf(created.slice(-RECENT)) : randomOf(created);

/** Shows or hides a draft, in this process: no mutation does. */
async function showOrHide({ id, creator }: (typeof created)[number]): Promise<void> {
  const store = createPostStore(gateways.db);
  const [lookup] = await store.findAll(creator, [readPostId(id)]);
  if (lookup?.kind !== 'found' || !isDraft(lookup.post.storedState)) return;
  const before = lookup.post;
  const dated = before.scheduledAt ? 'dated' : 'undated';
  const storedState = (
    isPrivateDraft(before.storedState) ? `draft_${dated}` : `draft_private_${dated}`
  ) as StoredState;
  // A conflict with another writer is no failure: the draft stays as it is.
  await store.save({
    ...EMPTY_CHANGE,
    workspaceId: creator.workspace.id,
    actor: toActor(creator),
    at: new Date(),
    posts: [
      {
        kind: 'update',
        before,
        after: { ...before, storedState, version: before.version + 1 },
        changed: ['storedState'],
        slots: null,
      },
    ],
  });
}

async function write(writer: number): Promise<void> {
  const as = randomOf(members);
  const action = Math.random();
  const post = created.length > 0 ? aCreatedPost() : null;
  if (!post || action < 0.35) return create(writer, as);
  if (action < 0.6) return showOrHide(post);
  const request =
    action < 0.8
      ? mutation(
          as,
          'updatePost',
          {
            id: post.id,
            post:
              Math.random() < 0.5
                ? { text: `Changed ${Math.random()}` }
                : {
                    scheduledAt: Math.random() < 0.3 ? null : hoursFromNow(1 + Math.random() * 99),
                  },
          },
          'post { id }',
        )
      : action < 0.93
        ? mutation(as, 'deletePosts', { ids: [post.id, aCreatedPost().id] }, 'deletedIds')
        : mutation(
            as,
            'restorePosts',
            { ids: [post.id, randomOf(created).id] },
            'results { done }',
          );
  await client.send(writer, request);
}

/** Reads pages while the writers run, and afterwards until there are no more. */
async function follow(mirror: Mirror, isOver: () => boolean): Promise<void> {
  while (!isOver()) await mirror.step();
}

const APIS = ['graphql', 'rest'] as const;
const createMirrors = (): Mirror[] =>
  members.flatMap((viewer) => APIS.map((api) => createMirror(client, viewer, api)));

/** Starts one client of the viewer after another, while the writers run. */
async function startMirrors(viewer: KeyedViewer, isOver: () => boolean): Promise<Mirror[]> {
  const started: Mirror[] = [];
  while (!isOver()) {
    const mirror = createMirror(client, viewer, randomOf(APIS));
    await mirror.start();
    started.push(mirror);
  }
  return started;
}

/** Reads all pages, and compares the copies with the lists of their viewers. */
async function findDifferences(mirrors: readonly Mirror[]): Promise<string[]> {
  const differences: string[] = [];
  for (const viewer of members) {
    const list = await readList(client, viewer);
    for (const mirror of mirrors.filter((candidate) => candidate.viewer === viewer)) {
      while (await mirror.step());
      differences.push(...mirror.differences(list).map((text) => `${mirror.name}: ${text}`));
    }
  }
  return differences;
}

it('clients that apply changes, while writers in four processes change posts, have the list of their viewer', async () => {
  const mirrors = createMirrors();
  for (const mirror of mirrors) await mirror.start();
  const violations: string[] = [];
  let others = 0;
  const rounds = suite.number('rounds', { short: 3, quick: 15, full: 200 }[suite.length]);
  for (let round = 0; round < rounds; round += 1) {
    let isOver = false;
    const [, ...started] = await Promise.all([
      runClients(WRITERS, STEPS, write).finally(() => {
        isOver = true;
      }),
      ...members.map((viewer) => startMirrors(viewer, () => isOver)),
      ...mirrors.map((mirror) => follow(mirror, () => isOver)),
    ]);
    const startedMeanwhile = started.flatMap((list) => list ?? []);
    others += startedMeanwhile.length;
    await settled(gateways.db.pool);
    const differences = await findDifferences([...mirrors, ...startedMeanwhile]);
    violations.push(...differences.map((text) => `round ${round}, ${text}`));
    violations.push(...startedMeanwhile.flatMap((mirror) => mirror.violations));
  }
  violations.push(...mirrors.flatMap((mirror) => mirror.violations));
  suite.report(
    `${created.length} posts, ${mirrors.map((mirror) => mirror.pages()).join(' + ')} pages, ${others} clients that started meanwhile`,
  );
  expect(created.length).toBeGreaterThan(10);
  expect(others).toBeGreaterThanOrEqual(rounds * members.length);
  expect(violations.slice(0, 10)).toEqual([]);
});

it('no gateway logs an error', () => {
  expect(gateways.processes.flatMap(errorLinesOf)).toEqual([]);
});
