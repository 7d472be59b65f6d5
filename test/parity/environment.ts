import type { Account, Post } from '../../src/domain/posts/post.js';
import type { Media, Label } from '../../src/domain/posts/post-content.js';
import type { PostPatch } from '../../src/domain/posts/post-fields.js';
import type { PostFilter } from '../../src/domain/posts/post-query.js';
import type { Plan, Role } from '../../src/domain/enums.js';
import { slotsOfMinutes } from '../../src/domain/publishing/posting-schedule.js';
import { createPostingScheduleStore } from '../../src/persistence/posting-schedules/posting-schedule-store.js';
import { allRows } from '../fixtures/database-rows.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer, PostOptions, Records } from '../fixtures/records.js';
import type { Api, Creation, Outcome, PostAction, WriteOptions } from './api.js';

/**
 * The fixed time of both gateways, so that their rows are equal. It is far from the database's own
 * time.
 */
export const NOW = new Date('2030-06-12T08:00:00Z');
/** A time `days` after NOW. */
export const inDays = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);

/** One response, and the rows that the request inserted and deleted, without generated values. */
export interface Step {
  readonly outcome: Outcome;
  readonly inserted: readonly string[];
  readonly deleted: readonly string[];
}

type Fields<T> = Partial<Omit<T, 'id'>>;

/** Fixtures with the same ids in both gateways, and the requests of the API. */
export interface ScenarioContext {
  /** Creates a workspace and its owner; by default it does not require approval. */
  owner(given?: { requiresApproval?: boolean; plan?: Plan }): Promise<KeyedViewer>;
  member(of: KeyedViewer, role: Role, postActions?: boolean): Promise<KeyedViewer>;
  account(of: KeyedViewer, given?: Fields<Account>): Promise<Account>;
  /** Sets the times of the account's queue: minutes of the week, in UTC. */
  queue(account: Account, minutesOfWeek: readonly number[]): Promise<void>;
  label(of: KeyedViewer, given: Fields<Label>): Promise<Label>;
  media(of: KeyedViewer, given?: Fields<Media>): Promise<Media>;
  post(by: KeyedViewer, given?: Omit<PostOptions, 'by' | 'id'>): Promise<Post>;
  list(as: KeyedViewer, filter?: PostFilter): Promise<void>;
  get(as: KeyedViewer, id: string): Promise<void>;
  update(as: KeyedViewer, id: string, patch: PostPatch, options?: WriteOptions): Promise<void>;
  create(as: KeyedViewer, creation: Creation, options?: WriteOptions): Promise<void>;
  act(as: KeyedViewer, action: PostAction, options?: WriteOptions): Promise<void>;
  remove(as: KeyedViewer, ids: readonly string[], options?: WriteOptions): Promise<void>;
}

export interface ScenarioRunner {
  /** Runs a scenario and returns one step for each request. */
  run(scenario: (stage: ScenarioContext) => Promise<void>): Promise<Step[]>;
  close(): Promise<void>;
}

/** Times set by the database, and tokens of idempotency records. */
const DATABASE_TIMES_AND_TOKENS =
  /"?202\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)?"?|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const GENERATED_IDS = [
  /\b(lbl|med|job|ntf|key|grp)_[0-9A-Za-z]{16}\b/g,
  new RegExp(`\\b${Math.floor(NOW.getTime() / 1000).toString(16)}[0-9a-f]{16}\\b`, 'g'),
];
const withoutGeneratedIds = (text: string): string =>
  GENERATED_IDS.reduce((rest, pattern) => rest.replace(pattern, 'generated'), text);

/** The API that a row names. The fixtures create posts through GraphQL, whichever API changes them. */
const nameOf = (table: string, { name }: Api): RegExp =>
  new RegExp(`,(?:${table === 'post_body' ? 'graphql|rest' : name})(?=[,)])`);

/** Starts a gateway and runs scenarios through one of its APIs. */
export async function openScenarioRunner(
  openApi: (gateway: TestGateway) => Api,
): Promise<ScenarioRunner> {
  const gateway = await gatewayWith({ clock: { now: () => NOW } });
  const api = openApi(gateway);
  const fixtures = createFixtures(gateway.records);
  const postingSchedules = createPostingScheduleStore(gateway.db);

  const rows = async (): Promise<string[]> =>
    Object.entries(await allRows(gateway.db.pool)).flatMap(([table, all]) =>
      all.map(
        (row) =>
          `${table} ${withoutGeneratedIds(row)
            .replace(DATABASE_TIMES_AND_TOKENS, '')
            .replace(`""api"": ""${api.name}""`, 'this API')
            .replace(nameOf(table, api), ',this API')}`,
      ),
    );
  async function stepOf(send: () => Promise<Outcome>): Promise<Step> {
    const before = await rows();
    const outcome = JSON.parse(withoutGeneratedIds(JSON.stringify(await send()))) as Outcome;
    const after = await rows();
    return { outcome, inserted: without(after, before), deleted: without(before, after) };
  }

  return {
    async run(scenario) {
      const steps: Step[] = [];
      const request = (send: () => Promise<Outcome>) =>
        stepOf(send).then((step) => {
          steps.push(step);
        });
      await scenario({
        ...fixtures,
        queue: ({ id }, minutesOfWeek) =>
          postingSchedules.save(id, {
            timeZone: 'UTC',
            usesWorkspaceTimeZone: false,
            paused: false,
            slots: slotsOfMinutes(minutesOfWeek),
          }),
        list: (as, filter = {}) => request(() => api.list(as, filter)),
        get: (as, id) => request(() => api.get(as, id)),
        update: (as, id, patch, options = {}) => request(() => api.update(as, id, patch, options)),
        create: (as, creation, options = {}) => request(() => api.create(as, creation, options)),
        act: (as, action, options = {}) => request(() => api.act(as, action, options)),
        remove: (as, ids, options = {}) => request(() => api.remove(as, ids, options)),
      });
      return steps;
    },
    close: () => gateway.close(),
  };
}

/** The multiset difference `all` minus `some`, sorted. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const row of some) counts.set(row, (counts.get(row) ?? 0) + 1);
  return all
    .filter((row) => {
      const left = counts.get(row) ?? 0;
      counts.set(row, left - 1);
      return left <= 0;
    })
    .sort();
}

/** Fixtures with sequential ids: the n-th record has the same id in both gateways. */
function createFixtures(records: Records) {
  let count = 0;
  const id = (prefix: string): string => `${prefix}_p${String((count += 1)).padStart(4, '0')}`;
  const account = ({ workspace }: KeyedViewer, more: Fields<Account> = {}) =>
    records.anAccount({ ...more, id: id('acc'), workspaceId: workspace.id });
  return {
    account,
    async owner({ requiresApproval = false, plan = 'business' as Plan } = {}) {
      const { id: userId } = await records.aUser({ id: id('usr'), name: 'Olga', plan });
      const { id: workspaceId } = await records.aWorkspace({
        id: id('wks'),
        ownerId: userId,
        requiresApproval,
      });
      return records.aViewer({ workspaceId, userId, role: 'owner' });
    },
    async member({ workspace }: KeyedViewer, role: Role, postActions = false) {
      const { id: userId } = await records.aUser({ id: id('usr'), name: 'Mia' });
      return records.aViewer({ workspaceId: workspace.id, userId, role, postActions });
    },
    label: ({ workspace }: KeyedViewer, more: Fields<Label>) =>
      records.aLabel({ ...more, id: id('lbl'), workspaceId: workspace.id }),
    media: ({ workspace }: KeyedViewer, more: Fields<Media> = {}) =>
      records.aMedia({ ...more, id: id('med'), workspaceId: workspace.id }),
    async post(by: KeyedViewer, more: Omit<PostOptions, 'by' | 'id'> = {}) {
      const isDraft = more.storedState?.startsWith('draft') ?? false;
      const own =
        more.account === undefined && !isDraft ? await account(by) : (more.account ?? null);
      return records.aPost({
        ...more,
        by,
        account: own,
        id: String((count += 1)).padStart(24, '0'),
      });
    },
  };
}
