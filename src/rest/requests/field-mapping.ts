import {
  getNamedType,
  isInputObjectType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import type { Problem } from '../../domain/errors.js';
import type { PatchInput } from '../../domain/changes/patch-input.js';
import type { PostPatch } from '../../domain/posts/post.js';
import { readPatch } from '../../domain/changes/read-patch.js';
import { isJsonObject } from '../../domain/input/readers.js';
import { fieldsIn, inputTypesIn, toV1Name, toV1Path } from './input-words.js';

type Path = Problem['path'];

/** Update post in v1's words: the snake_case view of the GraphQL input type, so that the shape is written once. */
export interface Dialect {
  /** Reads `{"post": {…}}` and collects every problem with its path; what has one is left out of `patch`. */
  readPost(body: unknown): { patch: PostPatch; problems: readonly Problem[] };
  /** A message of the law with its field names as v1 writes them. */
  inV1Words(message: string): string;
}

export function createDialect(postPatch: GraphQLInputObjectType): Dialect {
  const names = new Set(inputTypesIn(postPatch).flatMap((type) => Object.keys(type.getFields())));
  const inV1Words = (message: string): string =>
    message.replace(/\b[a-z]+[A-Z]\w*/g, (word) => (names.has(word) ? toV1Name(word) : word));

  return {
    inV1Words,
    readPost(body) {
      const problems = envelopeProblems(body);
      if (!isJsonObject(body) || !Object.hasOwn(body, 'post')) return { patch: {}, problems };
      const input = renamed(postPatch, body.post, ['post'], problems);
      const read = readPatch(input as PatchInput);
      const ofValues = read.problems.map(({ path, message }) => ({
        path: ['post', ...toV1Path(postPatch, path)],
        message: inV1Words(message),
      }));
      return { patch: read.patch, problems: [...problems, ...ofValues] };
    },
  };
}

function envelopeProblems(body: unknown): Problem[] {
  if (!isJsonObject(body))
    return [
      { path: [], message: 'The body must be an object with the one key post: {"post": {…}}.' },
    ];
  const strangers = Object.keys(body)
    .filter((key) => key !== 'post')
    .map((key) => ({ path: [key], message: 'unknown key; allowed: post' }));
  return Object.hasOwn(body, 'post')
    ? strangers
    : [...strangers, { path: ['post'], message: 'required' }];
}

/**
 * The same value under GraphQL's names, without the keys that v1 does not have, which become problems. Values stay as
 * they were sent: whether they are right is the law's to say.
 */
function renamed(type: GraphQLInputType, value: unknown, path: Path, problems: Problem[]): unknown {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return value;
  if (Array.isArray(value))
    return value.map((item, place) => renamed(named, item, [...path, place], problems));
  if (!isJsonObject(value)) return value;
  const fields = fieldsIn(named);
  const known: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    const field = fields.get(key);
    if (field) known[field.name] = renamed(field.type, one, [...path, key], problems);
    else
      problems.push({
        path: [...path, key],
        message: `unknown key; allowed: ${[...fields.keys()].join(', ')}`,
      });
  }
  return known;
}
