import DataLoader from 'dataloader';
import type { CapSlot } from '../domain/changes/change.js';
import type { Post } from '../domain/posts/post.js';
import type { PostListQuery, PostPage, PostSelection } from '../domain/posts/post-query.js';
import { viewerOf } from '../domain/access/identity.js';
import type { Admission } from '../services/access/access.js';
import type { Services } from '../services/services.js';

const DAY = 86_400_000;

const batched = <K, V>(
  read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): DataLoader<K, V | null> =>
  new DataLoader(async (keys) => {
    const found = await read(keys);
    return keys.map((key) => found.get(key) ?? null);
  });

export type Loaders = ReturnType<typeof createLoaders>;

/** One set for each request: what several fields ask for is read once, in batches. A change takes a new set. */
export function createLoaders(
  { directory, jobs, postReader }: Services,
  admission: Admission,
  now: Date,
) {
  const viewer = () => viewerOf(admission);
  const here = () => viewer().workspace.id;
  const windows = new Map<string, DataLoader<number, PostPage | null>>();
  return {
    /** By relational id: whole posts; null where the viewer sees none. */
    post: batched<number, Post>((ids) => postReader.byDatabaseId(viewer(), ids)),
    postByDocument: batched<string, Post>((ids) => postReader.byDocumentId(viewer(), ids)),
    account: batched((ids: readonly string[]) => directory.accountsById(here(), ids)),
    user: batched((ids: readonly string[]) => directory.usersById(here(), ids)),
    label: batched((ids: readonly string[]) => directory.labelsById(here(), ids)),
    media: batched((ids: readonly string[]) => directory.mediaById(viewer(), ids)),
    notification: batched((ids: readonly string[]) => directory.notificationsById(viewer(), ids)),
    job: batched((ids: readonly string[]) => jobs.byIds(here(), ids)),
    members: batched((ids: readonly string[]) => directory.membersOf(ids)),
    /** By account: publications of the last 24 hours and all to come (D39). */
    capSlots: batched(async (ids: readonly string[]) =>
      slotsByAccount(await directory.capSlots(ids, new Date(now.getTime() - DAY))),
    ),
    /** Children of a series, one batch for all series that ask for the same part and fields. */
    occurrences(
      query: PostListQuery,
      selection: PostSelection,
    ): DataLoader<number, PostPage | null> {
      const same = JSON.stringify([query, { ...selection, fields: [...selection.fields].sort() }]);
      const loader =
        windows.get(same) ??
        batched((ids: readonly number[]) =>
          postReader.occurrences(viewer(), ids, query, selection),
        );
      windows.set(same, loader);
      return loader;
    },
  };
}

function slotsByAccount(slots: readonly CapSlot[]): Map<string, CapSlot[]> {
  const byAccount = new Map<string, CapSlot[]>();
  for (const slot of slots)
    byAccount.set(slot.accountId, [...(byAccount.get(slot.accountId) ?? []), slot]);
  return byAccount;
}
