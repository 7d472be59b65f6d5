import type { Viewer } from '../../domain/access/viewer.js';
import {
  toHistoryEntry,
  type HistoryEntry,
  type HistoryWindow,
} from '../../domain/history/history-entry.js';
import type { HistoryStore, StoredHistory } from '../../persistence/history/history-store.js';

/** A page of the history of a post, newest first. */
export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  readonly hasNextPage: boolean;
}

/** Reads the history of posts. */
export interface History {
  /** By database ID of the posts. Posts that the viewer cannot see are absent. */
  pages(
    viewer: Viewer,
    postIds: readonly number[],
    window: HistoryWindow,
  ): Promise<ReadonlyMap<number, HistoryPage>>;
}

/** The creation is version 1, which has no stored change. */
const creationEntry = ({ createdAt, creator, createdApi }: StoredHistory): HistoryEntry => ({
  version: 1,
  type: 'post.created',
  at: createdAt,
  user: creator,
  api: createdApi,
  note: null,
  changes: [],
});

function toPage(history: StoredHistory, { before, limit }: HistoryWindow): HistoryPage {
  const { visibleFrom, revisions } = history;
  const changes = revisions.map((revision) =>
    toHistoryEntry(revision, {
      isFirstVisible: visibleFrom > 1 && revision.version === visibleFrom,
    }),
  );
  const hasCreation = visibleFrom === 1 && (before === undefined || before > 1);
  const entries = hasCreation ? [...changes, creationEntry(history)] : changes;
  return { entries: entries.slice(0, limit), hasNextPage: entries.length > limit };
}

/** Creates the use case of histories (D71). */
export const createHistory = (store: HistoryStore): History => ({
  async pages(viewer, postIds, window) {
    const histories = await store.read(viewer, postIds, window);
    return new Map([...histories].map(([postId, history]) => [postId, toPage(history, window)]));
  },
});
