import DataLoader from 'dataloader';
import type { CapSlot } from '../domain/changes/change.js';
import type { Post } from '../domain/posts/post.js';
import type { PostListQuery, PostPage, PostSelection } from '../domain/posts/post-query.js';
import { viewerOf } from '../domain/access/workspace-access.js';
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
  { workspaceRecords, jobs, media, postReader, postingSchedules, history, webhooks }: Services,
  authentication: Authentication,
  now: Date,
) {
  const viewer = () => viewerOf(authentication);
  const workspaceId = () => viewer().workspace.id;
  const deliveryLoaders = new Map<string, DataLoader<string, DeliveryPage | null>>();
  const historyLoaders = new Map<string, DataLoader<number, HistoryPage | null>>();
  const occurrenceLoaders = new Map<string, DataLoader<number, PostPage | null>>();
  return {
    /** Complete posts by database ID; null for posts that are not visible to the viewer. */
    post: batched<number, Post>((ids) => postReader.byDatabaseId(viewer(), ids)),
    postByDocument: batched<string, Post>((ids) => postReader.byDocumentId(viewer(), ids)),
    account: batched((ids: readonly string[]) => workspaceRecords.accountsById(workspaceId(), ids)),
    postingSchedule: batched((ids: readonly string[]) => postingSchedules.byAccount(ids)),
    user: batched((ids: readonly string[]) => workspaceRecords.usersById(workspaceId(), ids)),
    label: batched((ids: readonly string[]) => workspaceRecords.labelsById(viewer(), ids)),
    media: batched((ids: readonly string[]) => workspaceRecords.mediaById(viewer(), ids)),
    /** Files by media ID; null for media whose file is on another server. */
    mediaFile: batched((ids: readonly string[]) => media.filesById(workspaceId(), ids)),
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
    /** Histories of posts, by database ID. Those with the same window share a batch. */
    history(window: HistoryWindow): DataLoader<number, HistoryPage | null> {
      const key = JSON.stringify(window);
      const loader =
        historyLoaders.get(key) ??
        batched((ids: readonly number[]) => history.pages(viewer(), ids, window));
      historyLoaders.set(key, loader);
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
          postReader.occurrences(viewer(), ids, query, selection),
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
