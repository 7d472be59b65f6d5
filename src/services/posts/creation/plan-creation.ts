import type { Viewer } from '../../../domain/access/viewer.js';
import { mergePatch, combinePatches } from '../../../domain/changes/merge-patch.js';
import {
  accountRefusals,
  checkPublishable,
  lockRefusals,
} from '../../../domain/creation/check-publishable.js';
import { draftState, type DuplicateReaction } from '../../../domain/creation/creation-modes.js';
import type { Refusal } from '../../../domain/errors.js';
import type { PostPatch } from '../../../domain/posts/post-fields.js';
import { type Account, type Post, BLANK_POST } from '../../../domain/posts/post.js';
import { stateInWorkspace } from '../../../domain/posts/transitions.js';
import { formatRefusals } from '../../../domain/rules/format-rules.js';
import { type CheckedReferences, resolveEachReferences } from '../patch-references.js';
import { completeRule, resolveRule } from '../series/series-dates.js';
import type { CreationItem, CreateRequest, CreationTarget } from './creation-request.js';
import {
  planDates,
  queueRefusals,
  repetitionRefusals,
  timeRefusals,
  toPostTime,
  withoutRepeatedFields,
  type TargetPlan,
  type PlannedTarget,
  duplicateMessage,
  duplicatesOf,
  toContentCandidate,
} from './planning-rules.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import type { Network } from '../../../domain/networks/networks.js';
import type { ChangeDependencies } from '../../changes/run-change.js';
import { createSlotFinder, readQueues } from '../../posting-schedules/slot-finder.js';

/** A target with everything that its post is made of. */
interface TargetInput {
  readonly item: CreationItem;
  /** Null for an idea. */
  readonly account: Account | null;
  /** Common post, variant and target as one patch. */
  readonly patch: PostPatch;
  readonly references: CheckedReferences;
  /** The time of the target, or else of the call. */
  readonly scheduledAt: Date | null;
  /** The free time that the queue of the account has for the post; null in other modes. */
  readonly queueSlot: Date | null;
  readonly id: string;
  readonly groupId: string;
  readonly now: Date;
}

/**
 * The post before the patch: what a rule compares the patch with. The blank post is in the middle,
 * because V8 takes twenty times as long to add fields to a copy of it.
 */
function newPost(viewer: Viewer, { item, account, patch, id, groupId, now }: TargetInput): Post {
  return {
    id,
    databaseId: 0,
    workspaceId: viewer.workspace.id,
    storedState: 'scheduled',
    network: account?.network ?? null,
    accountId: account?.id ?? null,
    account,
    creatorId: viewer.user.id,
    user: viewer.user,
    createdAt: now,
    updatedAt: now,
    ...BLANK_POST,
    type: patch.type!,
    scheduledAt: null,
    groupId,
    auto: item.mode === 'add_to_queue',
  };
}

/** The time of the post. */
function timeOf({ item, queueSlot, scheduledAt, now }: TargetInput, merged: Post): Date | null {
  if (item.mode === 'share_now') return toPostTime(now);
  return item.mode === 'add_to_queue' ? queueSlot : (scheduledAt ?? merged.scheduledAt);
}

/** A time that would be ignored is refused: the post would be public at once (D48). */
const sharedTimeRefusals = ({ item, scheduledAt, patch }: TargetInput): Refusal[] =>
  item.mode === 'share_now' && (scheduledAt ?? patch.scheduledAt)
    ? [
        {
          code: 'RULE_VIOLATION',
          message:
            'scheduledAt cannot be combined with the mode SHARE_NOW: the post is published immediately.',
          path: ['scheduledAt'],
          rule: 'D48',
        },
      ]
    : [];

/** The post of a target, with the rules of an update of a scheduled post and of creations (D47). */
function planTarget(viewer: Viewer, input: TargetInput): TargetPlan {
  const { item, account, references, now } = input;
  const zone = viewer.workspace.timeZone;
  const isDraft = item.mode === 'draft';
  const recurring = resolveRule(input.patch.recurring, zone);
  const patch: PostPatch = { ...input.patch, ...(recurring !== undefined && { recurring }) };
  const before = newPost(viewer, input);
  const merged = mergePatch(
    before,
    references.refusals.length > 0 ? { ...patch, media: undefined } : patch,
    references,
  );
  const scheduledAt = timeOf(input, merged);
  const timed: Post = {
    ...merged,
    scheduledAt,
    recurring:
      merged.recurring && !isDraft
        ? completeRule(merged.recurring, { scheduledAt, recurring: null })
        : merged.recurring,
  };
  const refusals = withoutRepeatedFields([
    [
      ...references.refusals,
      ...(item.mode === 'add_to_queue'
        ? queueRefusals({
            hasTime: (input.scheduledAt ?? patch.scheduledAt ?? null) !== null,
            account,
            slot: input.queueSlot,
            hasPeriod: Boolean(item.queuePeriod?.from ?? item.queuePeriod?.until),
          })
        : timeRefusals(item.mode, timed, now)),
      ...sharedTimeRefusals(input),
      ...(isDraft
        ? []
        : [
            ...accountRefusals(account, timed),
            ...(item.mode === 'share_now' ? lockRefusals(viewer) : []),
            ...repetitionRefusals(item.mode, timed, { now, zone }),
          ]),
    ],
    formatRefusals(before, timed, patch),
    isDraft || !account ? [] : checkPublishable(timed, account),
  ]);
  if (isDraft) {
    const storedState = draftState(item.visibility, scheduledAt);
    return { post: { ...timed, storedState }, dates: [], refusals };
  }
  const { post, ...planned } = planDates(viewer, { post: timed, dates: [], refusals }, now);
  const storedState = stateInWorkspace(viewer.workspace, post.storedState);
  return { ...planned, post: { ...post, storedState } };
}

/** A variant of a network that no target of its item has. */
export interface UnusedVariant {
  readonly item: number;
  readonly network: Network;
  /** Its path starts at the item. */
  readonly refusal: Refusal;
}

/** The plans of all targets, and the records that their posts need. */
export interface CreationPlan extends Omit<
  Awaited<ReturnType<typeof resolveEachReferences>>,
  'references'
> {
  readonly groupIds: readonly string[];
  readonly unusedVariants: readonly UnusedVariant[];
  readonly targets: readonly PlannedTarget[];
  /**
   * For the posts of the targets, the occurrences of series included, up to the limit of a call.
   */
  readonly databaseIds: readonly number[];
}

/** A target in its place; `target` is null for an idea. */
interface Place {
  readonly item: CreationItem;
  readonly itemIndex: number;
  readonly index: number;
  readonly target: CreationTarget | null;
  readonly account: Account | null;
}

/** Fields of a target, in which a path is not one of the patch. */
const TARGET_FIELDS: ReadonlySet<string | undefined> = new Set(['accountId', 'scheduledAt']);

/** The path of a refusal of a target, from the item on. */
function pathInItem({ index, target }: Place, path: readonly string[]): readonly string[] {
  const inTarget = TARGET_FIELDS.has(path[0]) ? path : ['post', ...path];
  return target ? ['targets', String(index), ...inTarget] : inTarget;
}

const unknownAccount: Refusal = {
  code: 'RULE_VIOLATION',
  message: 'No account of this workspace has this ID.',
  path: ['accountId'],
  rule: 'D47',
};

const noContent = (account: Account | null): Refusal => ({
  code: 'RULE_VIOLATION',
  message: account
    ? `The account ${account.name} has no content: there is none for ${account.network} and no default.`
    : 'The draft has no content: without an account, it needs a default.',
  path: ['type'],
  rule: 'D50',
});

/** One patch for each target; targets without a patch of their own share that of their network. */
function patchesOf(places: readonly Place[]): PostPatch[] {
  const shared = new Map<string, PostPatch>();
  return places.map(({ item, itemIndex, target, account }) => {
    const network = account?.network ?? null;
    const key = `${itemIndex} ${network}`;
    const variant = network && item.variants.get(network);
    const common =
      shared.get(key) ?? combinePatches(network, [item.post, ...(variant ? [variant] : [])]);
    shared.set(key, common);
    return target && Object.keys(target.post).length > 0
      ? combinePatches(network, [common, target.post])
      : common;
  });
}

async function placesOf(
  { workspaceRecords }: ChangeDependencies,
  viewer: Viewer,
  items: readonly CreationItem[],
): Promise<Place[]> {
  const accountIds = items.flatMap(({ targets }) => targets.map(({ accountId }) => accountId));
  const accounts = await workspaceRecords.accountsById(viewer.workspace.id, [
    ...new Set(accountIds),
  ]);
  return items.flatMap((item, itemIndex): Place[] =>
    item.targets.length === 0
      ? [{ item, itemIndex, index: 0, target: null, account: null }]
      : item.targets.map((target, index) => ({
          item,
          itemIndex,
          index,
          target,
          account: accounts.get(target.accountId) ?? null,
        })),
  );
}

/** Variants of networks that no target has; none while a target's network is unknown. */
function unusedVariants(
  { variants }: CreationItem,
  itemIndex: number,
  places: readonly Place[],
): UnusedVariant[] {
  if (places.some(({ target, account }) => target && !account)) return [];
  const networks = new Set(places.map(({ account }) => account?.network));
  return [...variants.keys()].flatMap((network, index): UnusedVariant[] =>
    networks.has(network)
      ? []
      : [
          {
            item: itemIndex,
            network,
            refusal: {
              code: 'RULE_VIOLATION',
              message: `No target is an account of ${network}. Remove the variant or add a target.`,
              path: ['variants', String(index), 'network'],
              rule: 'D47',
            },
          },
        ],
  );
}

/** Database IDs for the posts of the targets; a call that needs more is refused. */
async function reserveIds(
  { store }: ChangeDependencies,
  targets: readonly PlannedTarget[],
): Promise<readonly number[]> {
  const posts = targets.flatMap(({ plan, refusals }) =>
    plan && refusals.length === 0 ? [null, ...plan.dates] : [],
  );
  const count = Math.min(posts.length, REQUEST_LIMITS.newPosts);
  return count > 0 ? store.reserveIds(count) : [];
}

/**
 * Refuses, or warns about, the posts that have the account and content of another one that is planned
 * or published within 24 hours (D49).
 */
async function checkDuplicates(
  store: ChangeDependencies['store'],
  targets: readonly PlannedTarget[],
  reaction: Exclude<DuplicateReaction, 'allow'>,
): Promise<readonly PlannedTarget[]> {
  const duplicates = await duplicatesOf(
    store,
    targets.map(({ plan, refusals }) =>
      plan && refusals.length === 0 ? toContentCandidate(plan.post) : null,
    ),
  );
  return targets.map((target, index) => {
    const duplicate = duplicates[index] ?? null;
    if (duplicate === null) return target;
    const message = duplicateMessage(duplicate);
    if (reaction === 'warn') return { ...target, warnings: [message] };
    const refusal = {
      code: 'DUPLICATE_CONTENT' as const,
      message: `${message} Set allowDuplicate to create it nevertheless.`,
      path: ['targets', String(target.index), 'post', 'text'],
      rule: 'D49',
      ...(duplicate !== 'in call' && { postId: duplicate.id }),
    };
    return { ...target, refusals: [refusal] };
  });
}

const ANY_TIME = { from: null, until: null };

/** Plans the posts of a creation: what each target would become, or why not (D47, D48). */
export async function planCreation(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  { items, duplicates }: Pick<CreateRequest, 'items' | 'duplicates'>,
): Promise<CreationPlan> {
  const { ids, clock } = dependencies;
  const now = clock.now();
  const places = await placesOf(dependencies, viewer, items);
  const patches = patchesOf(places);
  const distinct = [...new Set(patches)];
  const { references, ...records } = await resolveEachReferences(
    { ...dependencies, viewer },
    distinct,
  );
  const referencesOf = new Map(distinct.map((patch, index) => [patch, references[index]!]));
  const groupIds = items.map(() => ids.prefixed('grp'));
  const queueAccounts = places.flatMap(({ item, account }) =>
    item.mode === 'add_to_queue' && account ? [account.id] : [],
  );
  const queues = await readQueues(dependencies, [...new Set(queueAccounts)], now);
  const slots = createSlotFinder(queues, { plan: viewer.workspace.plan, now });
  const targets = places.map((place, placeIndex): PlannedTarget => {
    const { item, itemIndex, index, target, account } = place;
    const result = {
      item: itemIndex,
      index,
      accountId: target?.accountId ?? null,
      network: account?.network ?? null,
    };
    const refuse = (refusals: readonly Refusal[]): Refusal[] =>
      refusals.map((refusal) => ({ ...refusal, path: pathInItem(place, refusal.path) }));
    if (target && !account)
      return { ...result, plan: null, refusals: refuse([unknownAccount]), warnings: [] };
    const patch = patches[placeIndex]!;
    if (!patch.type)
      return { ...result, plan: null, refusals: refuse([noContent(account)]), warnings: [] };
    const slotRequest =
      item.mode === 'add_to_queue' && account
        ? { account, type: patch.type, ...(item.queuePeriod ?? ANY_TIME) }
        : null;
    const queueSlot = slotRequest && slots.next(slotRequest);
    const plan = planTarget(viewer, {
      item,
      account,
      patch,
      references: referencesOf.get(patch)!,
      scheduledAt: target?.scheduledAt ?? (patch.scheduledAt ? null : item.scheduledAt),
      queueSlot,
      id: ids.document(),
      groupId: groupIds[itemIndex]!,
      now,
    });
    if (queueSlot && plan.refusals.length === 0) slots.take(slotRequest, queueSlot);
    return { ...result, plan, refusals: refuse(plan.refusals), warnings: [] };
  });
  const [checked, databaseIds] = await Promise.all([
    duplicates === 'allow' ? targets : checkDuplicates(dependencies.store, targets, duplicates),
    reserveIds(dependencies, targets),
  ]);
  const unused = items.flatMap((item, itemIndex) =>
    unusedVariants(
      item,
      itemIndex,
      places.filter((place) => place.itemIndex === itemIndex),
    ),
  );
  return { ...records, groupIds, unusedVariants: unused, targets: checked, databaseIds };
}
