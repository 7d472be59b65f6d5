import type { Account, Label, Media, Post, PostPatch } from '../../src/domain/posts/post.js';
import type { PostFilter } from '../../src/domain/posts/post-query.js';
import type { Plan, Role } from '../../src/domain/vocabulary.js';
import { everyRow } from '../fixtures/every-row.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer, PostBrief, Records } from '../fixtures/records.js';
import type { Door, Outcome, Wish } from './apis.js';

/** The moment at which both gateways stand: nothing that they write differs by its time, and the database's own time is far from it. */
export const NOW = new Date('2030-06-12T08:00:00Z');
/** So many days from then. */
export const inDays = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);

/** One answer, and the rows that came and went with it, with what chance chooses left out. */
export interface Entry {
  readonly outcome: Outcome;
  readonly came: readonly string[];
  readonly went: readonly string[];
}

type Own<T> = Partial<Omit<T, 'id'>>;

/** Where a scenario plays: fixtures with the same ids on both sides, and the four questions. */
export interface Stage {
  /** Makes a workspace of its owner; by default nothing needs approval. */
  owner(given?: { requiresApproval?: boolean; plan?: Plan }): Promise<KeyedViewer>;
  member(of: KeyedViewer, role: Role, postActions?: boolean): Promise<KeyedViewer>;
  account(of: KeyedViewer, given?: Own<Account>): Promise<Account>;
  label(of: KeyedViewer, given: Own<Label>): Promise<Label>;
  media(of: KeyedViewer, given?: Own<Media>): Promise<Media>;
  post(by: KeyedViewer, given?: Omit<PostBrief, 'by' | 'id'>): Promise<Post>;
  list(as: KeyedViewer, filter?: PostFilter): Promise<void>;
  get(as: KeyedViewer, id: string): Promise<void>;
  update(as: KeyedViewer, id: string, patch: PostPatch, wish?: Wish): Promise<void>;
  remove(as: KeyedViewer, ids: readonly string[], wish?: Wish): Promise<void>;
}

export interface Theatre {
  /** Plays a scenario and tells what each question came to. */
  play(scenario: (stage: Stage) => Promise<void>): Promise<Entry[]>;
  close(): Promise<void>;
}

/** Times that the database fills in itself, and what a claim is held by. */
const BY_CHANCE =
  /"?202\d-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)?"?|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const MADE_IDS = [
  /\b(lbl|med|job|ntf)_[0-9A-Za-z]{16}\b/g,
  new RegExp(`\\b${Math.floor(NOW.getTime() / 1000).toString(16)}[0-9a-f]{16}\\b`, 'g'),
];
const plain = (text: string): string =>
  MADE_IDS.reduce((rest, pattern) => rest.replace(pattern, 'made'), text);

/** A whole gateway behind one of its doors. */
export async function openTheatre(doorOf: (gateway: TestGateway) => Door): Promise<Theatre> {
  const gateway = await gatewayWith({ clock: { now: () => NOW } });
  const door = doorOf(gateway);
  const given = giving(gateway.records);

  const rows = async (): Promise<string[]> =>
    Object.entries(await everyRow(gateway.db.pool)).flatMap(([table, all]) =>
      all.map((row) => `${table} ${plain(row).replace(BY_CHANCE, '')}`),
    );
  async function entryOf(ask: () => Promise<Outcome>): Promise<Entry> {
    const before = await rows();
    const outcome = JSON.parse(plain(JSON.stringify(await ask()))) as Outcome;
    const after = await rows();
    return { outcome, came: without(after, before), went: without(before, after) };
  }

  return {
    async play(scenario) {
      const entries: Entry[] = [];
      const note = (ask: () => Promise<Outcome>) =>
        entryOf(ask).then((entry) => {
          entries.push(entry);
        });
      await scenario({
        ...given,
        list: (as, filter = {}) => note(() => door.list(as, filter)),
        get: (as, id) => note(() => door.get(as, id)),
        update: (as, id, patch, wish = {}) => note(() => door.update(as, id, patch, wish)),
        remove: (as, ids, wish = {}) => note(() => door.remove(as, ids, wish)),
      });
      return entries;
    },
    close: () => gateway.close(),
  };
}

/** What of `all` is not in `some`, sorted; a row that is twice in one and once in the other stays once. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of some) counts.set(one, (counts.get(one) ?? 0) + 1);
  return all
    .filter((one) => {
      const left = counts.get(one) ?? 0;
      counts.set(one, left - 1);
      return left <= 0;
    })
    .sort();
}

/** The fixture language with ids that are counted: the n-th thing made has the same id on both sides. */
function giving(records: Records) {
  let count = 0;
  const id = (prefix: string): string => `${prefix}_p${String((count += 1)).padStart(4, '0')}`;
  const account = ({ workspace }: KeyedViewer, more: Own<Account> = {}) =>
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
    label: ({ workspace }: KeyedViewer, more: Own<Label>) =>
      records.aLabel({ ...more, id: id('lbl'), workspaceId: workspace.id }),
    media: ({ workspace }: KeyedViewer, more: Own<Media> = {}) =>
      records.aMedia({ ...more, id: id('med'), workspaceId: workspace.id }),
    async post(by: KeyedViewer, more: Omit<PostBrief, 'by' | 'id'> = {}) {
      const isDraft = more.cell?.startsWith('draft') ?? false;
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
