import { PATCH_FIELDS, type PostPatch } from '../../src/domain/posts/post.js';
import { CELLS, type Cell } from '../../src/domain/posts/states.js';
import { TRANSITIONS, type StateEvent } from '../../src/domain/posts/transitions.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import { aWorkshop, updated, type Workshop } from '../fixtures/services.js';

let shop: Workshop;
beforeAll(async () => {
  shop = await aWorkshop();
});
afterAll(() => shop.database.drop());

const AT = new Date('2026-12-01T09:00:00Z');
const RULE = { repeat: 'daily', endDate: '2026-12-02T09:00:00Z' } as const;

/** What networks say: fired by their answers, and by connecting an account. */
const NETWORK_EVENTS = ['account_needs_reauth', 'account_reconnected', 'deleted_there'] as const;

/** The change that fires each event. */
const FIRES: Record<Exclude<StateEvent, (typeof NETWORK_EVENTS)[number]>, PostPatch> = {
  changed_without_approval: { text: 'New' },
  series_started: { recurring: RULE },
  series_ended: { recurring: null },
  dated: { scheduledAt: AT },
  undated: { scheduledAt: null },
};

/** An owner, and an editor who may not approve, where approval is required or not. */
async function people(requiresApproval: boolean) {
  const { id: workspaceId, ownerId } = await shop.aWorkspace({ requiresApproval });
  const owner = await shop.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  return {
    owner,
    editor: await shop.aViewer({ workspaceId, postActions: true }),
    account: await shop.anAccount({ workspaceId, network: 'mastodon' }),
  };
}

test('every row of the table is fired by an update, but for what networks say', async () => {
  const { owner, editor, account } = await people(true);
  const fired = (event: StateEvent): event is keyof typeof FIRES => event in FIRES;
  for (const { from, event, to } of TRANSITIONS) {
    if (!fired(event)) continue;
    const by = event === 'changed_without_approval' ? editor : owner;
    const post = await shop.aPost({
      by,
      cell: from,
      account,
      recurring: from === 'recurring' ? { ...RULE, startDate: AT.toISOString() } : null,
    });
    expect([from, event, updated(await shop.update(by, post, FIRES[event])).cell]).toEqual([
      from,
      event,
      to,
    ]);
    expect((await shop.stored(by, post.id)).cell).toBe(to);
  }
  expect(new Set(TRANSITIONS.map((row) => row.event))).toEqual(
    new Set([...wordsOf(FIRES), ...NETWORK_EVENTS]),
  );
});

const HARMLESS: PostPatch = {
  text: 'New',
  title: 'New',
  excerpt: 'New',
  question: 'New',
  duration: 2,
  details: { feed: true },
  recycling: { gap: 30, gapFreq: 'days', expireCount: 1 },
  content: [{ type: 'quote', data: {} }],
  location: { id: '1', name: null },
  labels: [{ name: 'x' }],
  options: ['a', 'b'],
  tags: ['a'],
  categories: ['a'],
  sublinks: [{ url: 'https://example.com' }],
  type: 'photo',
};

test('nothing else changes a state: not a field that no row names, nor a change that needs nobody’s approval', async () => {
  const { owner, editor, account } = await people(false);
  for (const cell of wordsOf(CELLS) as readonly Cell[]) {
    const post = await shop.aPost({
      by: editor,
      cell,
      account,
      recurring: cell === 'recurring' ? { ...RULE, startDate: AT.toISOString() } : null,
    });
    const patches = [
      ...PATCH_FIELDS.filter((field) => HARMLESS[field] !== undefined).map((field): PostPatch => ({
        [field]: HARMLESS[field],
      })),
      HARMLESS,
      { recurring: { repeat: null } } as PostPatch,
    ];
    for (const [index, patch] of patches.entries()) {
      const outcome = await shop.update(
        index % 2 || cell.startsWith('draft_private') ? editor : owner,
        post,
        patch,
      );
      expect([cell, patch, outcome.kind === 'updated' ? outcome.post.cell : cell]).toEqual([
        cell,
        patch,
        cell,
      ]);
    }
  }
});
