import DataLoader from 'dataloader';
import type { CapSlot } from '../domain/changes/change.js';
import type { AnalyticsDay, DayRange, PostAnalytics } from '../domain/numbers/numbers.js';
import type { Account, Post } from '../domain/posts/post.js';
import type { PostListQuery, PostPage, PostSelection } from '../domain/posts/post-query.js';
import { viewerOf, type Workspace } from '../domain/access/viewer.js';
import type { DeliveryPage, DeliveryWindow } from '../domain/webhooks/webhook.js';
import type { Authentication } from '../services/access/access-control.js';
import type { UpdatePreview } from '../services/posts/update-preview.js';
import type { HistoryPage } from '../services/history/history.js';
import type { HistoryWindow } from '../domain/history/history-entry.js';
import type { Services } from '../services/services.js';

const DAY_MS = 86_400_000;

const batched = <K, V>(
  read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): DataLoader<K, V | null> =>
  new DataLoader(async (keys) => {
    const valuesByKey = await read(keys);
    return keys.map((key) => valuesByKey.get(key) ?? null);
  });

/** Loaders of a request. */
export type Loaders = ReturnType<typeof createLoaders>;

/**
 * Creates the loaders of a request, which batch and cache reads. A mutation replaces them by a new
 * set.
 */
export function createLoaders(
  {
    analytics,
    workspaceRecords,
    accountConnections,
    jobs,
    media,
    visiblePosts,
    postingSchedules,
    history,
    webhooks,
  }: Services,
  authentication: Authentication,
  now: Date,
) {
  const viewer = () => viewerOf(authentication);
  const workspaceId = () => viewer().workspace.id;
  const deliveryLoaders = new Map<string, DataLoader<string, DeliveryPage | null>>();
  const freeTimesByKey = new Map<string, Promise<Date[]>>();
  const historyLoaders = new Map<string, DataLoader<number, HistoryPage | null>>();
  const readingLoaders = new Map<number, DataLoader<number, readonly PostAnalytics[] | null>>();
  const dayLoaders = new Map<string, DataLoader<string, readonly AnalyticsDay[] | null>>();
  const occurrenceLoaders = new Map<string, DataLoader<number, PostPage | null>>();
  return {
    /** Complete posts by database ID; null for posts that are not visible to the viewer. */
    post: batched<number, Post>((ids) => visiblePosts.byDatabaseId(viewer(), ids)),
    postByDocument: batched<string, Post>((ids) => visiblePosts.byDocumentId(viewer(), ids)),
    account: batched((ids: readonly string[]) => workspaceRecords.accountsById(workspaceId(), ids)),
    /** Null for accounts that were never connected, and for sandbox accounts. */
    accountConnection: batched((ids: readonly string[]) => accountConnections.byAccount(ids)),
    postingSchedule: batched((ids: readonly string[]) => postingSchedules.byAccount(ids)),
    user: batched((ids: readonly string[]) => workspaceRecords.usersById(workspaceId(), ids)),
    label: batched((ids: readonly string[]) => workspaceRecords.labelsById(viewer(), ids)),
    media: batched((ids: readonly string[]) => workspaceRecords.mediaById(viewer(), ids)),
    /** Files by media ID; null for media whose file is on another server. */
    mediaFile: batched((ids: readonly string[]) => media.filesById(workspaceId(), ids)),
    mediaUsage: batched((workspaces: readonly Workspace[]) => media.usageOf(workspaces)),
    notification: batched((ids: readonly string[]) =>
      workspaceRecords.notificationsById(viewer(), ids),
    ),
    job: batched((ids: readonly string[]) => jobs.byIds(workspaceId(), ids)),
    publicationSettings: batched((ids: readonly string[]) =>
      workspaceRecords.publicationSettingsOf(ids),
    ),
    members: batched((ids: readonly string[]) => workspaceRecords.membersOf(ids)),
    /** Publications of the last 24 hours and all scheduled ones, by account (D39). */
    capSlots: batched(async (ids: readonly string[]) =>
      slotsByAccount(await workspaceRecords.capSlots(ids, new Date(now.getTime() - DAY_MS))),
    ),
    /** The next free times of the queue of an account, found once for many posts of the account. */
    freeTimes(account: Account, first: number): Promise<Date[]> {
      const key = `${account.id} ${first}`;
      const times = freeTimesByKey.get(key) ?? postingSchedules.nextFree(viewer(), account, first);
      freeTimesByKey.set(key, times);
      return times;
    },
    /** Histories of posts, by database ID. Those with the same window share a batch. */
    history(window: HistoryWindow): DataLoader<number, HistoryPage | null> {
      const key = JSON.stringify(window);
      const loader =
        historyLoaders.get(key) ??
        batched((ids: readonly number[]) => history.pages(viewer(), ids, window));
      historyLoaders.set(key, loader);
      return loader;
    },
    /** The newest readings of numbers of posts, by database ID. */
    analyticsHistory(first: number): DataLoader<number, readonly PostAnalytics[] | null> {
      const loader =
        readingLoaders.get(first) ??
        batched((ids: readonly number[]) => analytics.history(ids, first));
      readingLoaders.set(first, loader);
      return loader;
    },
    /** Sums of the numbers of an account by day. */
    accountAnalytics(range: DayRange): DataLoader<string, readonly AnalyticsDay[] | null> {
      const key = JSON.stringify(range);
      const loader =
        dayLoaders.get(key) ?? batched((ids: readonly string[]) => analytics.days(ids, range));
      dayLoaders.set(key, loader);
      return loader;
    },
    /** Deliveries by the ID of a webhook that was read before. */
    webhookDeliveries(window: DeliveryWindow): DataLoader<string, DeliveryPage | null> {
      const key = JSON.stringify(window);
      const loader =
        deliveryLoaders.get(key) ??
        batched((ids: readonly string[]) => webhooks.deliveries(ids, window));
      deliveryLoaders.set(key, loader);
      return loader;
    },
    /** Occurrences of series. Series with the same page arguments and fields share a batch. */
    occurrences(
      query: PostListQuery,
      selection: PostSelection,
    ): Pick<DataLoader<number, PostPage | null>, 'load'> {
      const key = JSON.stringify([query, { ...selection, fields: [...selection.fields].sort() }]);
      const loader =
        occurrenceLoaders.get(key) ??
        batched((ids: readonly number[]) =>
          visiblePosts.occurrences(viewer(), ids, query, selection),
        );
      occurrenceLoaders.set(key, loader);
      return loader;
    },
  };
}

/** The loaders after a dry run: they return the posts as they would be after the update. */
export function withPreview(loaders: Loaders, preview: UpdatePreview): Loaders {
  const { post, seriesId } = preview;
  loaders.post.prime(post.databaseId, post);
  return {
    ...loaders,
    occurrences: (query, selection) => ({
      load: (id) =>
        id === seriesId
          ? preview.occurrences(query, selection)
          : loaders.occurrences(query, selection).load(id),
    }),
  };
}

function slotsByAccount(slots: readonly CapSlot[]): Map<string, CapSlot[]> {
  const byAccount = new Map<string, CapSlot[]>();
  for (const slot of slots)
    byAccount.set(slot.accountId, [...(byAccount.get(slot.accountId) ?? []), slot]);
  return byAccount;
}
