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
  /**
   * Reads fields of a post, in an object at `path`. `complete` adds values that updates of v1 do
   * not have, under the names of a patch.
   */
  readFields(
    fields: unknown,
    path: Path,
    complete?: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  ): { patch: PostPatch; problems: readonly Problem[] };
  /** Converts the field names in a message of the domain rules to v1 spelling. */
  toV1Message(message: string): string;
}

/** Creates the mapping from the GraphQL input type of a post update. */
export function createFieldMapping(postPatch: GraphQLInputObjectType): FieldMapping {
  const names = new Set(inputTypesOf(postPatch).flatMap((type) => Object.keys(type.getFields())));
  const toV1Message = (message: string): string =>
    message.replace(/\b[a-z]+[A-Z]\w*/g, (word) => (names.has(word) ? toSnakeCase(word) : word));

  const readFields: FieldMapping['readFields'] = (fields, path, complete = (input) => input) => {
    const problems: Problem[] = [];
    const input = toGraphQLNames(postPatch, fields, path, problems);
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
 * Renames the keys to those of GraphQL. Keys that v1 does not have are dropped and reported as
 * problems. Values are not changed: the domain readers check them.
 */
function toGraphQLNames(
  type: GraphQLInputType,
  value: unknown,
  path: Path,
  problems: Problem[],
): unknown {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return value;
  if (Array.isArray(value))
    return value.map((item, index) => toGraphQLNames(named, item, [...path, index], problems));
  if (!isJsonObject(value)) return value;
  const fields = v1FieldsOf(named);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const field = fields.get(key);
    if (field) result[field.name] = toGraphQLNames(field.type, item, [...path, key], problems);
    else
      problems.push({
        path: [...path, key],
        message: `unknown key; allowed: ${[...fields.keys()].join(', ')}`,
      });
  }
  return result;
}
