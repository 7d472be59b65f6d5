import type { DraftVisibility } from '../../src/domain/creation/creation-modes.js';
import type { Network } from '../../src/domain/networks/networks.js';
import type { PostPatch } from '../../src/domain/posts/post-fields.js';
import type { PostFilter } from '../../src/domain/posts/post-query.js';
import { withV1Words } from '../../src/rest/field-mapping.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { LabelPatch } from '../../src/domain/posts/post-settings.js';

/** Options of a write request, in both APIs. */
export interface WriteOptions {
  expectedVersion?: number;
  key?: string;
  dryRun?: boolean;
  /** Of a deletion: whether posts are deleted on their networks first. */
  onNetwork?: boolean;
}

/** A creation that both APIs can express. */
export interface Creation {
  readonly mode: 'draft' | 'schedule' | 'share_now' | 'add_to_queue';
  readonly visibility?: DraftVisibility;
  readonly targets: readonly {
    readonly accountId: string;
    readonly scheduledAt?: Date;
    readonly labels?: readonly LabelPatch[];
  }[];
  readonly post: PostPatch;
  readonly variants?: Readonly<Partial<Record<Network, PostPatch>>>;
}

/** The actions on posts, by their names in v1. */
export type ActionName =
  | 'schedule'
  | 'review'
  | 'retry'
  | 'pause'
  | 'resume'
  | 'unpublish'
  | 'restore'
  | 'resolve'
  | 'revert';

/** An action on posts: the ids, and the rest of the input with the names of v1. */
export interface PostAction {
  readonly name: ActionName;
  readonly ids: readonly string[];
  readonly input?: Readonly<Record<string, unknown>>;
}

/** A response of either API, in the format of the REST API. */
export type Outcome =
  | {
      readonly kind: 'ok';
      readonly body: unknown;
      readonly version?: number | null;
      readonly hasJob?: boolean;
    }
  | { readonly kind: 'refused'; readonly code: string; readonly messages: readonly string[] };

/** One of the two APIs. Patches and filters have the domain's names. */
export interface Api {
  /** How events name this API. */
  readonly name: 'graphql' | 'rest';
  list(viewer: KeyedViewer, filter: PostFilter): Promise<Outcome>;
  get(viewer: KeyedViewer, id: string): Promise<Outcome>;
  update(
    viewer: KeyedViewer,
    id: string,
    patch: PostPatch,
    options: WriteOptions,
  ): Promise<Outcome>;
  /** The body has the created posts, with their index and account, and the reasons of others. */
  create(viewer: KeyedViewer, creation: Creation, options: WriteOptions): Promise<Outcome>;
  /** The body has the result for each post. A revert has the post itself. */
  act(viewer: KeyedViewer, action: PostAction, options: WriteOptions): Promise<Outcome>;
  /** With `onNetwork`, the body has the failures of the job so far. */
  remove(viewer: KeyedViewer, ids: readonly string[], options: WriteOptions): Promise<Outcome>;
}

export type Json = Record<string, any>;
export type Params = [name: string, value: string][];
export const each = (name: string, values: readonly string[] = []): Params =>
  values.map((value) => [name, value]);
export const snake = (text: string): string =>
  text.replace(/\b[a-z]+[A-Z]\w*/g, (word) =>
    word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );

/** A message in the words of v1. */
export const toV1Message = (text: string): string => snake(withV1Words(text));

/**
 * The error messages that are equal in both APIs: for a version none, since v1 has an ETag; for
 * malformed input those about the patch, since the others are about parameters and headers.
 */
const COMPARED_MESSAGES: Readonly<Record<string, RegExp>> = {
  CONFLICT: /^$/,
  BAD_USER_INPUT: /^post\b/,
};

/** An error with v1's field names. */
export const refused = (code: string, messages: readonly string[]): Outcome => ({
  kind: 'refused',
  code,
  messages: messages
    .map((message) => toV1Message(message).replace(/^input\./, ''))
    .filter((message) => (COMPARED_MESSAGES[code] ?? /./).test(message)),
});

/** Converts keys to snake_case, except in the data of content blocks. */
export function toRestKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toRestKeys);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [snake(key), key === 'data' ? one : toRestKeys(one)]),
  );
}
