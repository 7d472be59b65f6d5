import type { Role } from '../enums.js';
import type { Media } from '../posts/post-content.js';
import type { UserSummary } from '../posts/post.js';

/** A keyset window of a small list. */
export interface Slice {
  readonly limit: number;
  readonly after?: SlicePosition;
  readonly before?: SlicePosition;
  readonly fromEnd: boolean;
}
/** The sort value (a name, or an ISO time) and the ID that breaks ties. */
export interface SlicePosition {
  readonly sortValue: string;
  readonly id: string;
}
/** The items of a slice, in list order. */
export interface SlicePage<T> {
  readonly items: readonly T[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** A member of a workspace. */
export interface Member {
  user: UserSummary;
  role: Role;
  postActions: boolean;
  email: string;
}
/** A notification of a user. */
export interface Notification {
  id: string;
  kind: string;
  message: string;
  postId: number | null;
  createdAt: Date;
}
/** A media item of the library with its sort time. */
export interface LibraryMedia extends Media {
  createdAt: Date;
}

/** How the posts of a workspace are published. */
export interface PublicationSettings {
  /** A post whose time has passed by more minutes is not published (D56). */
  readonly lateMinutes: number;
  /** Whether an operator has locked the workspace: nothing is published (D57). */
  readonly locked: boolean;
}
