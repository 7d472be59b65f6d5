import { PATCH_FIELDS, type PostPatch } from '../../../src/domain/posts/post-fields.js';
import { isDeclined, STORED_STATES, type StoredState } from '../../../src/domain/posts/states.js';
import { TRANSITIONS, type StateEvent } from '../../../src/domain/posts/transitions.js';
import type {
  ActionInput,
  ScheduleInput,
} from '../../../src/services/posts/actions/action-request.js';
import type { ReviewDecision } from '../../../src/domain/actions/post-actions.js';
import { DRAFT_VISIBILITIES } from '../../../src/domain/creation/creation-modes.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { enumKeys } from '../../../src/domain/enums.js';
import { actionResults, updatedPost, withServices } from '../../fixtures/services.js';
const services = withServices();

const AT = new Date('2026-12-01T09:00:00Z');
const RULE = { repeat: 'daily', endDate: '2026-12-02T09:00:00Z' } as const;

/** Fired by the answers of networks, by connecting an account, by operators, and by decisions about publications. */
const NETWORK_EVENTS = [
  'published',
  'recycled',
  'recycling_finished',
  'publication_ended',
  'account_needs_reauth',
  'account_reconnected',
  'workspace_locked',
  'workspace_unlocked',
  'deleted_on_network',
] as const;

/** Fired by restoring deleted posts: see actions/restore-posts.test.ts. */
const RESTORE_EVENTS = ['restored_late'] as const;

const scheduling = (given: Partial<ScheduleInput>): ScheduleInput => ({
  kind: 'schedule',
  mode: 'schedule',
  scheduledAt: AT,
  accountId: null,
  visibility: null,
  allowDuplicate: true,
  ...given,
});
const RETRY = { kind: 'retry', confirmNotLive: false, allowDuplicate: true } as const;
const REPEATED = [
  {},
  { recurring: { ...RULE, startDate: AT.toISOString() } },
  { recycling: { gap: 2, gapFreq: 'days' } },
] as const;

const reviewing = (decision: ReviewDecision): ActionInput => ({
  kind: 'review',
  decision,
  note: 'Why',
  publishLate: false,
});

/** The actions of members that fire events; `given`: with posts that are like this. */
const ACTIONS: readonly {
  readonly event: StateEvent;
  readonly by: 'owner' | 'editor';
  readonly action: ActionInput;
  /** The only state of such posts. Defaults to every state that the event changes. */
  readonly from?: StoredState;
  readonly given?: Partial<Post>;
  /** Whether their workspace requires approval, which is the default. */
  readonly requiresApproval?: false;
}[] = [
  { event: 'planned', by: 'owner', action: RETRY },
  { event: 'approval_requested', by: 'editor', action: RETRY },
  ...REPEATED.flatMap((given) => [
    { event: 'planned' as const, by: 'owner' as const, action: scheduling({}), given },
    { event: 'approval_requested' as const, by: 'editor' as const, action: scheduling({}), given },
  ]),
  ...enumKeys(DRAFT_VISIBILITIES).flatMap((visibility) =>
    [AT, null].map((scheduledAt) => ({
      event: 'moved_to_drafts' as const,
      by: 'owner' as const,
      action: scheduling({ mode: 'draft', visibility, scheduledAt }),
    })),
  ),
  { event: 'approval_requested', by: 'editor', action: { kind: 'resume' } },
  { event: 'approval_requested', by: 'editor', action: reviewing('request') },
  { event: 'approved', by: 'owner', action: reviewing('approve') },
  {
    event: 'approved',
    by: 'owner',
    action: reviewing('approve'),
    from: 'recycling_pending',
    given: { pausedAfterApproval: true },
  },
  { event: 'declined', by: 'owner', action: reviewing('decline') },
  { event: 'paused', by: 'owner', action: { kind: 'pause' } },
  { event: 'resumed', by: 'owner', action: { kind: 'resume' } },
  {
    event: 'planned',
    by: 'editor',
    action: scheduling({}),
    from: 'scheduled_pending',
    requiresApproval: false,
  },
  {
    event: 'resumed',
    by: 'editor',
    action: { kind: 'resume' },
    from: 'recycling_pending',
    given: { recycling: { gap: 2, gapFreq: 'days' } },
    requiresApproval: false,
  },
];

/** The change that fires each event. */
const FIRES: Partial<Record<StateEvent, PostPatch>> = {
  changed_without_approval: { text: 'New' },
  series_started: { recurring: RULE },
  series_ended: { recurring: null },
  dated: { scheduledAt: AT },
  undated: { scheduledAt: null },
  recycling_started: { recycling: { gap: 2 } },
  recycling_ended: { recycling: null },
  recycling_expired: { recycling: { expireDate: '2020-01-01' } },
  recycling_renewed: { recycling: { expireCount: 9 } },
};

/** An owner, and an editor who may not approve, where approval is required or not. */
async function people(requiresApproval: boolean) {
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval });
  const owner = await services.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  return {
    owner,
    editor: await services.aViewer({ workspaceId, postActions: true }),
    account: await services.anAccount({ workspaceId, network: 'mastodon', sandbox: true }),
  };
}

test('every transition of the table occurs by an update, except for those caused by networks', async () => {
  const { owner, editor, account } = await people(true);
  for (const { from, event, to } of TRANSITIONS) {
    const patch = FIRES[event];
    if (!patch) continue;
    const by = event === 'changed_without_approval' ? editor : owner;
    const post = await services.aPost({
      // A change by the creator of a declined post is a request for approval.
      by: isDeclined(from) ? editor : by,
      storedState: from,
      account,
      recycling: event === 'recycling_started' ? null : { expireCount: 3 },
      recurring: from === 'recurring' ? { ...RULE, startDate: AT.toISOString() } : null,
    });
    expect([from, event, updatedPost(await services.update(by, post, patch)).storedState]).toEqual([
      from,
      event,
      to,
    ]);
    expect((await services.storedPost(by, post.id)).storedState).toBe(to);
  }
  expect(new Set(TRANSITIONS.map((row) => row.event))).toEqual(
    new Set([
      ...(Object.keys(FIRES) as StateEvent[]),
      ...NETWORK_EVENTS,
      ...RESTORE_EVENTS,
      ...ACTIONS.map(({ event }) => event),
    ]),
  );
});

test('every transition by an action of a member occurs', async () => {
  const [requiring, free] = [await people(true), await people(false)];
  for (const { from, event, to } of TRANSITIONS) {
    const actions = ACTIONS.filter(
      (one) => one.event === event && (one.from === undefined || one.from === from),
    );
    if (actions.length === 0) continue;
    const reached = [];
    for (const { by, action, given, requiresApproval = true } of actions) {
      const member = (requiresApproval ? requiring : free)[by];
      // Another account each time, because of the daily caps.
      const account = await services.anAccount({ workspaceId: member.workspace.id, sandbox: true });
      const post = await services.aPost({ by: member, storedState: from, account, ...given });
      const [result] = actionResults(await services.act(member, [post], action));
      if (result!.post) reached.push(result!.post.storedState);
    }
    expect([from, event, reached]).toEqual([from, event, expect.arrayContaining([to])]);
  }
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

test('nothing else changes a state: neither other fields nor changes that need no approval', async () => {
  const { owner, editor, account } = await people(false);
  for (const storedState of enumKeys(STORED_STATES) as readonly StoredState[]) {
    const post = await services.aPost({
      by: editor,
      storedState,
      account,
      recycling: { gap: 1 },
      recurring: storedState === 'recurring' ? { ...RULE, startDate: AT.toISOString() } : null,
    });
    const patches = [
      ...PATCH_FIELDS.filter((field) => HARMLESS[field] !== undefined).map((field): PostPatch => ({
        [field]: HARMLESS[field],
      })),
      HARMLESS,
      { recurring: { repeat: null } } as PostPatch,
    ];
    for (const [index, patch] of patches.entries()) {
      const outcome = await services.update(
        (index % 2 && !isDeclined(storedState)) || storedState.startsWith('draft_private')
          ? editor
          : owner,
        post,
        patch,
      );
      expect([
        storedState,
        patch,
        outcome.kind === 'updated' ? outcome.post.storedState : storedState,
      ]).toEqual([storedState, patch, storedState]);
    }
  }
});
