import type {
  Credentials,
  EditablePath,
  AccountType,
  DeliveryGuarantee,
  PublicationHandle,
} from '../../domain/networks/network-definition.js';
import type { PictureSize } from '../../domain/media/media-file.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { Network } from '../../domain/networks/networks.js';
import type { PostNumbers } from '../../domain/numbers/numbers.js';
import type { Media } from '../../domain/posts/post-content.js';
import type { Account, Post } from '../../domain/posts/post.js';
import type { ByteRange } from '../media/file-storage.js';

/**
 * One edit of a published post: the saved post, and which of its live fields may differ on the
 * network.
 */
export interface NetworkEdit {
  readonly account: Account;
  readonly credentials: Credentials;
  /** The network's ID of the post. */
  readonly remoteId: string;
  readonly post: Post;
  /** Never empty. If the live state is in doubt: every field that the network shows. */
  readonly changed: ReadonlySet<EditablePath>;
}

/** A call that failed on the network. */
export interface NetworkFailure {
  readonly kind: 'failed';
  readonly code: NetworkFailureCode;
  /** One sentence for the user, including the network's own message; contains no secret. */
  readonly message: string;
  /** The pause that the network requested, in milliseconds. */
  readonly retryAfterMs?: number;
  /**
   * The network has certainly not taken the post: the request did not reach it (name look-up,
   * refused connection or TLS), or the answer says so.
   */
  readonly isUnsent?: boolean;
  /** The field of the post that the network did not accept. */
  readonly field?: string;
  /** Only the operator of the service can help, such as with a credit that is used up. */
  readonly isOperators?: boolean;
}
/** The content of a file, with its media type: lower case, without parameters. */
export interface FileContent {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A picture with its size; null if that is unknown. */
export interface SizedPicture extends FileContent {
  readonly size: PictureSize | null;
}

/** What a network takes of a picture. */
interface PictureLimits {
  readonly maxBytes: number;
  /** Of width and height together, in pixels. */
  readonly maxSides?: number;
  /** False: of an animation, its first frame is sent. */
  readonly keepsAnimations?: boolean;
  /** Whether it becomes a JPEG picture in any case. */
  readonly asJpeg?: boolean;
}

/**
 * Makes a picture small enough for a network, if it is not. Null if that is impossible.
 * @throws Error if it is no picture that can be decoded
 */
export type ConvertPicture = (
  picture: FileContent,
  limits: PictureLimits,
) => Promise<SizedPicture | null>;

/** A file that is read as a stream, with its media type as above. */
export interface FileStream {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The content, or a part of it. @throws Error if it cannot be read */
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

/** A media item: its ID, and the address of its file or of the picture converted from it. */
export type MediaReference = Pick<Media, 'id' | 'url'>;

/**
 * Finds the file of a media item that the service itself keeps, or makes the converted picture if
 * the address is that of one. Null if the file is on another server.
 */
export type FindStoredMedia = (media: MediaReference) => Promise<FileStream | null>;

/** Result of one edit on a network. */
export type EditResult = { readonly kind: 'edited' } | NetworkFailure;

/** The account that credentials belong to, as reported by the network. */
export interface ConnectedAccount {
  readonly kind: 'connected';
  readonly socialId: string;
  readonly name: string;
  readonly type: AccountType;
  readonly picture: string | null;
}

/**
 * Adapter of one social network. Every call ends within 30 seconds; the same edit may be sent
 * again.
 */
export interface NetworkAdapter {
  /** A remark for users that depends on settings, after that of the network's definition. */
  readonly note?: string;
  edit(edit: NetworkEdit): Promise<EditResult>;
  /** Publishes posts; absent if the service publishes nothing on this network. */
  readonly publisher?: Publisher;
  /** Reads what the network counts of posts; absent if it has nothing, or nothing is read. */
  readonly numbers?: NumbersReader;
  /** Queries the network for the account of these credentials; changes nothing. */
  check(credentials: Credentials): Promise<ConnectedAccount | NetworkFailure>;
}

/** A published post whose numbers are read. */
export interface CountedPost {
  /** The network's ID of the post. */
  readonly remoteId: string;
  /** Document ID and age, by which only the sandbox network counts. */
  readonly postId: string;
  readonly ageMs: number;
}

/**
 * What a network has counted, by its ID of the post: null if it does not say now. Absent posts are
 * no longer there.
 */
export type NumbersOfPosts = ReadonlyMap<string, PostNumbers | null>;
export type NumbersResult =
  { readonly kind: 'read'; readonly numbers: NumbersOfPosts } | NetworkFailure;

/** Reads the numbers of published posts (D91). */
export interface NumbersReader {
  /** Most posts of one call. */
  readonly maxPosts: number;
  /**
   * Milliseconds between two calls of an account: so many that most of what the network allows is
   * left to publications.
   */
  readonly intervalMs: number;
  /** Reads the numbers of posts of one account. Changes nothing. */
  read(
    account: Account,
    credentials: Credentials,
    posts: readonly CountedPost[],
  ): Promise<NumbersResult>;
}

/** Adapters of the networks that the service calls, to publish or to edit posts. */
export type Networks = Readonly<Partial<Record<Network, NetworkAdapter>>>;

/** A post, and the account that it is published on. */
export interface PublicationTarget {
  readonly account: Account;
  readonly credentials: Credentials;
  readonly post: Post;
  /** IANA zone of the workspace, for networks that take times without a zone; by default UTC. */
  readonly timeZone?: string;
}

/** A post that is ready to be published with one call. */
export interface PreparedPost {
  readonly kind: 'prepared';
  readonly handle: PublicationHandle;
  readonly guarantee: DeliveryGuarantee;
}

/** A post that the network is still preparing: it processes files, for example. */
export interface PreparingPost {
  readonly kind: 'preparing';
  /** What the network has already got: the next call goes on with it, in any process. */
  readonly handle: PublicationHandle;
  /** Milliseconds after which `prepare` is to be called again. */
  readonly againInMs: number;
}

/** A post that is public on its network. */
export interface LivePost {
  readonly kind: 'live';
  /** The network's ID of the post; null if the network tells none. */
  readonly remoteId: string | null;
  /** Null if the network has no address for it. */
  readonly url: string | null;
}

/**
 * Result of the call that publishes. `processing`: the network has the post; it is not public yet.
 * `handle`: that by which the post is found from now on, if the network named it only now.
 */
export type PublishResult =
  LivePost | { readonly kind: 'processing'; readonly handle?: PublicationHandle } | NetworkFailure;

/** What a network says about a post that may have been sent. */
export type LookResult =
  | LivePost
  /**
   * `isCompared`: the handle tells nothing any more, because it has expired or is not the one that
   * was sent. The account's recent posts do not contain the post, which counts if it is said twice;
   * the post is then prepared anew.
   */
  | { readonly kind: 'not_there'; readonly isCompared?: true }
  | { readonly kind: 'processing' }
  /** The network took the post and rejected it afterwards. `message`: for users. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** The network has no way to find out. */
  | { readonly kind: 'cannot_tell' }
  /**
   * The network lists nothing, but refuses a duplicate and names the first post: the same call may
   * be made once more, and its result tells.
   */
  | { readonly kind: 'repeat' }
  /** The question was not answered: asked again later. */
  | NetworkFailure;

/** A post that may have been sent. */
export interface SentPost extends PublicationTarget {
  readonly handle: PublicationHandle;
  /** When the call that publishes was started, at the earliest. */
  readonly sentAt: Date;
}

/**
 * Publishes posts on one network (D53). Each call ends within 30 seconds, or goes on as long as the
 * bytes of a file flow. The four calls differ in
 * what may be repeated, because a post must not appear twice.
 */
export interface Publisher {
  /**
   * Uploads media and creates what the network needs first. Makes nothing public, so that it may be
   * called again after a failure. Returns the handle with which the post is published and found.
   * With the guarantee `exact`, the same post and time get the same handle wherever the network lets
   * the gateway choose it: after a backup is restored, the post is found by it even though the
   * attempt that sent it is lost. Without, `look` compares it with the recent posts. May take as
   * long as the network needs: it is called again with the handle of an earlier call that was
   * `preparing`, and sends nothing twice that the handle has.
   */
  prepare(
    target: PublicationTarget,
    started?: PublicationHandle | null,
  ): Promise<PreparedPost | PreparingPost | NetworkFailure>;
  /**
   * The one request that makes the post public. Called again with the same handle only if the
   * guarantee is `exact` and `look` said `not_there`, or once after `look` said `repeat`. A failure
   * is marked `isUnsent` if the network has certainly not taken the post.
   */
  publish(sent: SentPost): Promise<PublishResult>;
  /** Asks the network about the post. Changes nothing. */
  look(sent: SentPost): Promise<LookResult>;
  /** Deletes the post on the network; also succeeds if it is no longer there. */
  remove(live: {
    readonly account: Account;
    readonly credentials: Credentials;
    readonly remoteId: string;
    /** Document ID of the service's post, by which only the sandbox network knows it. */
    readonly postId: string;
  }): Promise<{ readonly kind: 'removed' } | NetworkFailure>;
}
