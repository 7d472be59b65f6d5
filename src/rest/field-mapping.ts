import {
  getNamedType,
  isInputObjectType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import type { Problem } from '../domain/errors.js';
import { isJsonObject } from '../domain/input/readers.js';
import {
  PATCH_FIELDS,
  fieldOf,
  type PatchInput,
  type PostPatch,
  readPatch,
} from '../domain/posts/post-fields.js';
import { toSnakeCase } from '../domain/snake-case.js';

type Path = Problem['path'];

/**
 * Maps between v1's snake_case fields and the GraphQL input type of a post's changes, so that the
 * fields are defined once.
 */
export interface FieldMapping {
  /**
   * Reads `{"post": {…}}` and collects every problem with its path. Fields with a problem are left
   * out of `patch`.
   */
  readPost(body: unknown): { patch: PostPatch; problems: readonly Problem[] };
  /** Reads fields of a post, in an object at `path`. */
  readFields(
    fields: unknown,
    path: Path,
    more?: MoreFields,
  ): { patch: PostPatch; problems: readonly Problem[] };
  /** Converts a message of the domain rules to the words and field names of v1. */
  readonly toV1Message: (message: string) => string;
}

/** What requests have besides the fields of updates of v1. */
export interface MoreFields {
  /** Adds their values, under the names of a patch. */
  readonly complete: (
    input: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>;
  /** Their keys, for messages: of the post (`post`), and of objects by the key of the field. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

const NOTHING_MORE: MoreFields = { complete: (input) => input, keys: {} };

/** Creates the mapping from the GraphQL input type of a post update. */
export function createFieldMapping(postPatch: GraphQLInputObjectType): FieldMapping {
  const names = new Set(inputTypesOf(postPatch).flatMap((type) => Object.keys(type.getFields())));
  const toV1Message = (message: string): string =>
    withV1Words(message).replace(/\b[a-z]+[A-Z]\w*/g, (word) =>
      names.has(word) ? toSnakeCase(word) : word,
    );

  const readFields: FieldMapping['readFields'] = (fields, path, more = NOTHING_MORE) => {
    const { complete, keys } = more;
    const problems: Problem[] = [];
    const input = toGraphQLNames(postPatch, fields, { path, problems, keys, field: 'post' });
    const read = readPatch((isJsonObject(input) ? complete(input) : input) as PatchInput);
    const valueProblems = read.problems.map(({ path: inPost, message }) => ({
      path: [...path, ...toV1Path(postPatch, inPost)],
      message: toV1Message(message),
    }));
    return { patch: read.patch, problems: [...problems, ...valueProblems] };
  };

  return {
    toV1Message,
    readFields,
    readPost(body) {
      const problems = findEnvelopeProblems(body);
      if (!isJsonObject(body) || !Object.hasOwn(body, 'post')) return { patch: {}, problems };
      const read = readFields(body.post, ['post']);
      return { patch: read.patch, problems: [...problems, ...read.problems] };
    },
  };
}

function findEnvelopeProblems(body: unknown): Problem[] {
  if (!isJsonObject(body))
    return [
      { path: [], message: 'The body must be an object with the single key post: {"post": {…}}.' },
    ];
  const unknownKeys = Object.keys(body)
    .filter((key) => key !== 'post')
    .map((key) => ({ path: [key], message: 'unknown key; allowed: post' }));
  return Object.hasOwn(body, 'post')
    ? unknownKeys
    : [...unknownKeys, { path: ['post'], message: 'required' }];
}

/**
 * Where a value is, and where its problems go. `field`: the key of the field that it belongs to.
 */
interface Place extends Pick<MoreFields, 'keys'> {
  readonly path: Path;
  readonly field: string;
  readonly problems: Problem[];
}

/**
 * Renames the keys to those of GraphQL. Keys that v1 does not have are dropped and reported as
 * problems. Values are not changed: the domain readers check them.
 */
function toGraphQLNames(type: GraphQLInputType, value: unknown, place: Place): unknown {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return value;
  const { path, problems, keys } = place;
  if (Array.isArray(value))
    return value.map((item, index) =>
      toGraphQLNames(named, item, { ...place, path: [...path, index] }),
    );
  if (!isJsonObject(value)) return value;
  const fields = v1FieldsOf(named);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const field = fields.get(key);
    if (field)
      result[field.name] = toGraphQLNames(field.type, item, {
        ...place,
        path: [...path, key],
        field: key,
      });
    else
      problems.push({
        path: [...path, key],
        message: `unknown key; allowed: ${[...fields.keys(), ...(keys[place.field] ?? [])].join(', ')}`,
      });
  }
  return result;
}

/** Fields of the GraphQL input that v1 does not have (D29). */
const GRAPHQL_ONLY = new Set<string>(PATCH_FIELDS.filter((field) => fieldOf(field).isGraphqlOnly));

const fieldsByType = new WeakMap<GraphQLInputObjectType, ReadonlyMap<string, GraphQLInputField>>();

/** The fields of an input type by their v1 names. */
export function v1FieldsOf(type: GraphQLInputObjectType): ReadonlyMap<string, GraphQLInputField> {
  const cached = fieldsByType.get(type);
  if (cached) return cached;
  const inV1 = Object.values(type.getFields()).filter(({ name }) => !GRAPHQL_ONLY.has(name));
  const fields = new Map(inV1.map((field) => [toSnakeCase(field.name), field]));
  fieldsByType.set(type, fields);
  return fields;
}

/** The v1 spelling of a camelCase path. Keys inside free-form JSON are not changed. */
export function toV1Path(type: GraphQLInputType, path: Problem['path']): Problem['path'] {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (typeof step === 'number') return [step, ...toV1Path(type, rest)];
  const owner = getNamedType(type);
  const field = isInputObjectType(owner) ? owner.getFields()[step] : undefined;
  return field ? [toSnakeCase(step), ...toV1Path(field.type, rest)] : path;
}

/** The input type and all input types that it contains, without duplicates. */
export function inputTypesOf(root: GraphQLInputObjectType): readonly GraphQLInputObjectType[] {
  const types = new Set<GraphQLInputObjectType>();
  const visit = (type: GraphQLInputType): void => {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || types.has(named)) return;
    types.add(named);
    for (const field of v1FieldsOf(named).values()) visit(field.type);
  };
  visit(root);
  return [...types];
}

/**
 * What messages of the domain say in the words of GraphQL, and how v1 says it. In this order,
 * before the names of fields are replaced.
 */
const PHRASES: readonly (readonly [graphql: string, v1: string])[] = [
  ['resolvePublication', 'POST /v1/posts/{id}/resolve'],
  ['retryPosts', 'POST /v1/posts/actions/retry'],
  ['schedulePosts', 'POST /v1/posts/actions/schedule'],
  ['setPostingSchedule', 'PUT /v1/accounts/{account_id}/posting-schedule'],
  ['confirmNotLive', 'confirm_not_live'],
  ['notLive', 'not_live'],
  ['remoteId', 'remote_id'],
  ['timeZone', 'time_zone'],
  ['returnUrl', 'return_url'],
  ['accountIds must', 'account_ids must'],
  ['expiresAt', 'expires_at'],
  ['connectAccount', 'POST /v1/accounts/connect'],
  ['publishLate', 'publish_late'],
  [' Set allowDuplicate to create it nevertheless.', ''],
  ['allowDuplicate', 'allow_duplicate'],
  ['in mode DRAFT', 'in mode draft'],
  ['in mode SHARE_NOW', 'in mode share_now'],
  ['expectedVersion is required', 'expected_version is required'],
  [
    'requires the mode SCHEDULE',
    'requires a time of its own: it cannot be combined with auto, share_next or immediate publication',
  ],
  ['in mode SCHEDULE', 'for a scheduled post'],
  ['the mode SHARE_NOW', 'immediate publication'],
  ['the mode ADD_TO_QUEUE', 'auto and share_next'],
  ['networkOptions.boardId', 'board_id'],
  ['networkOptions.boardSectionId', 'board_section_id'],
  ['networkOptions.category', 'category'],
  ['networkOptions.playlistId', 'playlist_id'],
  ['accountId', 'account'],
  ['expectedVersion', 'the version in If-Match'],
];

/** Replaces what only GraphQL calls like this. */
export const withV1Words = (message: string): string =>
  PHRASES.reduce((text, [graphql, v1]) => text.replaceAll(graphql, v1), message);
