import type { Job } from '../jobs/job.js';
import type { Label, Media, Post } from '../posts/post.js';

/** One row of a change: `before` null makes the post, `after` null removes it; `changed` names what differs. */
export type PostWrite =
  | {
      readonly kind: 'insert';
      readonly after: Post;
      readonly slots: readonly CapSlot[];
      readonly importKey?: string;
    }
  | {
      readonly kind: 'update';
      readonly before: Post;
      readonly after: Post;
      readonly changed: readonly (keyof Post)[];
      readonly slots: readonly CapSlot[] | null;
    }
  | { readonly kind: 'remove'; readonly before: Pick<Post, 'databaseId' | 'version' | 'queuedAt'> };

/** A row that stays: made or changed. */
export type KeptWrite = Exclude<PostWrite, { kind: 'remove' }>;

/** A publication that counts towards a daily cap (D39). */
export interface CapSlot {
  readonly accountId: string;
  readonly postKind: string;
  readonly at: Date;
}

/** A cap that the slots of a change have to fit into. */
export interface CapClaim {
  readonly accountId: string;
  readonly postKind: string;
  readonly limit: number;
  readonly add: readonly Date[];
}

interface NotificationDraft {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly message: string;
  readonly postId: number | null;
}

/**
 * A whole change as data: it is saved in one transaction or not at all. Rows are guarded by the version they were
 * read with, so that a change decided on an outdated row is a conflict and is decided again.
 */
export interface Change {
  readonly workspaceId: string;
  /** Whose change it is; null where it follows from a network's answer. */
  readonly userId: string | null;
  readonly at: Date;
  readonly posts: readonly PostWrite[];
  readonly newLabels: readonly Label[];
  readonly newMedia: readonly (Media & { inLibrary: boolean })[];
  /** Media that the patch asks to keep in the library. */
  readonly intoLibrary: readonly string[];
  readonly jobs: readonly (Job & { postVersion: number | null })[];
  readonly notifications: readonly NotificationDraft[];
  readonly claims: readonly CapClaim[];
  /** Series whose children must not be queued at the moment of the change (D23). */
  readonly unqueuedSeries: readonly number[];
  /** How an account has to stand at the moment of the change, where that is why it is made. */
  readonly whileAccount?: AccountStanding;
}

export interface AccountStanding {
  readonly accountId: string;
  readonly needsReauth: boolean;
}

/** What a change brings beside its posts where it brings nothing. */
export const POSTS_ALONE = {
  newLabels: [],
  newMedia: [],
  intoLibrary: [],
  jobs: [],
  notifications: [],
  claims: [],
  unqueuedSeries: [],
} as const satisfies Partial<Change>;
