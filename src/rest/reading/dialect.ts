import { isEnumType, isListType, isNonNullType, isRequiredInputField, isScalarType, type GraphQLInputObjectType, type GraphQLInputType } from 'graphql';
import type { Problem } from '../../domain/errors.js';
import type { PatchInput } from '../../domain/patch-input.js';
import type { PostPatch } from '../../domain/post.js';
import { readPatch } from '../../domain/read-patch.js';
import { fieldsIn, inputTypesIn, scalarIn, toV1Name, toV1Path } from './input-words.js';

type Path = Problem['path'];

/** Update post in v1's words: the snake_case view of the GraphQL input type, so that the shape is written once. */
export interface Dialect {
  /** Reads `{"post": {…}}` and collects every problem with its path; what has one is left out of `patch`. */
  readPost(body: unknown): { patch: PostPatch; problems: readonly Problem[] };
  /** A message of the law with its field names as v1 writes them. */
  inV1Words(message: string): string;
}

export function createDialect(postPatch: GraphQLInputObjectType): Dialect {
  const names = new Set(inputTypesIn(postPatch).flatMap((type) => [...fieldsIn(type).values()].map(({ name }) => name)));
  const inV1Words = (message: string): string =>
    message.replace(/\b[a-z]+[A-Z]\w*/g, (word) => (names.has(word) ? toV1Name(word) : word));

  return {
    inV1Words,
    readPost(body) {
      const walk = createWalk();
      const post = readEnvelope(body, postPatch, walk);
      const { patch, problems } = readPatch((post ?? {}) as PatchInput);
      const ofFormats = problems
        .map(({ path, message }) => ({ path: ['post', ...toV1Path(postPatch, path)], message: inV1Words(message) }))
        .filter(({ path }) => !walk.problems.some((shape) => isWithin(path, shape.path)));
      return { patch, problems: [...walk.problems, ...ofFormats] };
    },
  };
}

interface Walk {
  readonly problems: Problem[];
  refuse(path: Path, message: string): typeof REFUSED;
}
/** Stands for a value that was refused. */
const REFUSED = Symbol('refused');

function createWalk(): Walk {
  const problems: Problem[] = [];
  return {
    problems,
    refuse(path, message) {
      problems.push({ path, message });
      return REFUSED;
    },
  };
}

const isWithin = (path: Path, outer: Path): boolean => outer.every((step, place) => path[place] === step);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function readEnvelope(body: unknown, postPatch: GraphQLInputObjectType, walk: Walk): unknown {
  if (!isObject(body)) return void walk.refuse([], 'The body must be an object with the one key post: {"post": {…}}.');
  for (const key of Object.keys(body)) if (key !== 'post') walk.refuse([key], 'unknown key; allowed: post');
  if (!Object.hasOwn(body, 'post')) return void walk.refuse(['post'], 'required');
  const post = readObject(postPatch, body.post, ['post'], walk);
  return post === REFUSED ? undefined : post;
}

function readValue(type: GraphQLInputType, value: unknown, path: Path, walk: Walk): unknown {
  if (isNonNullType(type)) return value === null ? walk.refuse(path, 'must not be null') : readValue(type.ofType, value, path, walk);
  if (value === null) return null;
  if (isListType(type)) return readList(type.ofType, value, path, walk);
  if (isScalarType(type)) return scalarIn(type).fits(value) ? value : walk.refuse(path, `must be ${scalarIn(type).expected}`);
  if (isEnumType(type)) {
    const word = type.getValues().find(({ name }) => name.toLowerCase() === value);
    return word ? word.value : walk.refuse(path, `must be one of ${type.getValues().map(({ name }) => name.toLowerCase()).join(', ')}`);
  }
  return readObject(type, value, path, walk);
}

/** A refused item keeps its place, so that the formats' problems of the others name the right position. */
function readList(type: GraphQLInputType, value: unknown, path: Path, walk: Walk): unknown {
  if (!Array.isArray(value)) return walk.refuse(path, 'must be an array');
  return value.map((item, place) => {
    const read = readValue(type, item, [...path, place], walk);
    return read === REFUSED ? standIn(type, walk) : read;
  });
}

function readObject(type: GraphQLInputObjectType, value: unknown, path: Path, walk: Walk): unknown {
  if (!isObject(value)) return walk.refuse(path, 'must be an object');
  const fields = fieldsIn(type);
  for (const key of Object.keys(value)) {
    if (!fields.has(key)) walk.refuse([...path, key], `unknown key; allowed: ${[...fields.keys()].join(', ')}`);
  }
  const read: Record<string, unknown> = {};
  for (const [key, field] of fields) {
    const isGiven = Object.hasOwn(value, key);
    if (!isGiven && !isRequiredInputField(field)) continue;
    const one = isGiven ? readValue(field.type, value[key], [...path, key], walk) : walk.refuse([...path, key], 'required');
    if (one !== REFUSED) read[field.name] = one;
    else if (isRequiredInputField(field)) read[field.name] = standIn(field.type, walk);
  }
  return read;
}

/**
 * A value of the right shape in the place of a refused one that may not be absent, so that the formats beside it are
 * checked in the same answer. No two are the same, and no problem with one is shown: its place is refused already.
 */
function standIn(type: GraphQLInputType, walk: Walk): unknown {
  if (isNonNullType(type)) return standIn(type.ofType, walk);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.value;
  if (!isScalarType(type)) {
    const required = [...fieldsIn(type).values()].filter(isRequiredInputField);
    return Object.fromEntries(required.map((field) => [field.name, standIn(field.type, walk)]));
  }
  const { example } = scalarIn(type);
  return typeof example === 'string' ? `stand-in ${walk.problems.length}` : example;
}
