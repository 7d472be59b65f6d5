import {
  getNamedType,
  isInputObjectType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import type { Problem } from '../../domain/errors.js';
import type { PatchInput, PostPatch } from '../../domain/posts/post-patch.js';
import { readPatch } from '../../domain/changes/read-patch.js';
import { isJsonObject } from '../../domain/input/readers.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import { withV1Words } from './v1-words.js';
import { v1FieldsOf, inputTypesOf, toV1Path } from './v1-field-names.js';

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
  toV1Message(message: string): string;
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
