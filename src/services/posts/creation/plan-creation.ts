import type { Viewer } from '../../../domain/access/viewer.js';
import { combinePatches } from '../../../domain/creation/combine-patches.js';
import type { Refusal } from '../../../domain/errors.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import type { Network } from '../../../domain/networks/networks.js';
import type { PostPatch } from '../../../domain/posts/post-patch.js';
import type { Account } from '../../../domain/posts/post.js';
import type { ChangeDependencies } from '../../changes/run-change.js';
import { resolveEachReferences } from '../patch-references.js';
import { createSlotFinder, readQueues } from '../../posting-schedules/slot-finder.js';
import type { CreateRequest, CreationItem, CreationTarget } from './creation-request.js';
import { duplicateMessages, toContentCandidate } from './duplicates.js';
import { planTarget } from './plan-target.js';
import type { PlannedTarget } from './planning-rules.js';

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
 * Refuses, or warns about, the posts that have the account, text and media of another one that is
 * planned or published within 24 hours (D49).
 */
async function checkDuplicates(
  store: ChangeDependencies['store'],
  targets: readonly PlannedTarget[],
  reaction: 'refuse' | 'warn',
): Promise<readonly PlannedTarget[]> {
  const messages = await duplicateMessages(
    store,
    targets.map(({ plan, refusals }) =>
      plan && refusals.length === 0 ? toContentCandidate(plan.post) : null,
    ),
  );
  return targets.map((target, index) => {
    const message = messages[index] ?? null;
    if (message === null) return target;
    if (reaction === 'warn') return { ...target, warnings: [message] };
    const refusal = {
      code: 'DUPLICATE_CONTENT' as const,
      message: `${message} Set allowDuplicate to create it nevertheless.`,
      path: ['targets', String(target.index), 'post', 'text'],
      rule: 'D49',
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
