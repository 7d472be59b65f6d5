import type { Problem } from '../../domain/errors.js';
import { isJsonObject } from '../../domain/input/readers.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import type { PostPatch } from '../../domain/posts/post-fields.js';
import { NETWORK_OPTIONS } from '../../domain/posts/post-settings.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import type { ReservedKeys } from '../../http/body-readers.js';
import type { FieldMapping, MoreFields } from '../field-mapping.js';

type Path = Problem['path'];
type Fields = Record<string, unknown>;

/** Keys of known clients that creations do not serve, or do not need, at any level (D50). */
export const RESERVED_KEYS: ReservedKeys = {
  previewed_media: null,
  comments: 'is not supported yet: remove it',
  share: 'is not supported yet: remove it',
  delete: 'is not supported yet: remove it',
};

/** The names of a repetition in results, and in requests (D6). */
export const RECURRING_ALIASES = {
  frequency: 'repeat',
  repeat_every: 'repeat_rate',
  weekdays: 'days_of_week',
} as const;
/** The names of a media item in results, and in requests (D20). */
export const MEDIA_ALIASES = { alt_text: 'caption' } as const;

/** Where a value of the content was sent, and where it is in a patch, in v1 spelling. */
interface Move {
  readonly from: Path;
  readonly to: Path;
}

/** A content while it is converted to a patch. */
interface Conversion {
  readonly problems: Problem[];
  readonly path: Path;
  readonly moves: Move[];
}

/** The problem of a value that was also sent under its other name. */
const sentTwice = (path: Path): Problem => ({
  path,
  message: 'is sent under another name, too: send one of them',
});

/** The object with its aliases replaced. */
function withoutAliases(
  value: unknown,
  aliases: Readonly<Record<string, string>>,
  { at, problems, path, moves }: Conversion & { at: Path },
): unknown {
  if (!isJsonObject(value)) return value;
  const used = Object.keys(aliases).filter((alias) => Object.hasOwn(value, alias));
  for (const alias of used) {
    const name = aliases[alias]!;
    moves.push({ from: [...at, alias], to: [...at, name] });
    if (Object.hasOwn(value, name)) problems.push(sentTwice([...path, ...at, alias]));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [used.includes(key) ? aliases[key]! : key, item]),
  );
}

const eachItem = (value: unknown, convert: (item: unknown, index: number) => unknown): unknown =>
  Array.isArray(value) ? value.map((item, index) => convert(item, index)) : value;

/** Values that a content can send in more shapes than an update. */
const CONVERTERS: Readonly<Record<string, (value: unknown, conversion: Conversion) => unknown>> = {
  recurring: (value, conversion) =>
    withoutAliases(value, RECURRING_ALIASES, { ...conversion, at: ['recurring'] }),
  labels: (value, { moves }) =>
    eachItem(value, (item, index) => {
      if (typeof item !== 'string') return item;
      moves.push({ from: ['labels', index], to: ['labels', index, 'name'] });
      return { name: item };
    }),
  media: (value, conversion) =>
    eachItem(value, (item, index) => {
      const media = withoutAliases(item, MEDIA_ALIASES, { ...conversion, at: ['media', index] });
      if (!isJsonObject(media)) return media;
      const { type: _type, ...fields } = media;
      return fields;
    }),
};

/** Where a value is in a patch: an option of a network, or another field of an update. */
type Place = readonly ['network_options' | 'details', string] | readonly ['text'];

/** The keys of a content that are options of a network; in snake case, too. */
const OPTION_PLACES: Readonly<Record<string, Place>> = Object.fromEntries(
  Object.keys(NETWORK_OPTIONS).flatMap((key): [string, Place][] => {
    const place: Place = ['network_options', toSnakeCase(key)];
    return [
      [key, place],
      [toSnakeCase(key), place],
    ];
  }),
);
const PLACES: Readonly<Record<string, Place>> = {
  ...OPTION_PLACES,
  privacy: ['details', 'privacy'],
};
/** Whether the text may be called description, as on the video network. */
export const isTextDescription = (network: Network | null): boolean =>
  network !== null && NETWORKS[network].textIsDescription === true;
const VIDEO_PLACES: Readonly<Record<string, Place>> = { ...PLACES, description: ['text'] };

/** Reports keys that are not served. Returns the others, without those that are ignored. */
function servedEntries(content: Fields, { problems, path }: Conversion): [string, unknown][] {
  return Object.entries(content).filter(([key]) => {
    const message = Object.hasOwn(RESERVED_KEYS, key) ? RESERVED_KEYS[key] : undefined;
    if (message) problems.push({ path: [...path, key], message });
    return message === undefined;
  });
}

/** The content in the shape of an update, with the options of its network apart. */
function toFields(content: Fields, network: Network | null, conversion: Conversion) {
  const { problems, path, moves } = conversion;
  const places = isTextDescription(network) ? VIDEO_PLACES : PLACES;
  const entries = servedEntries(content, conversion);
  const fields: Fields = Object.fromEntries(
    entries
      .filter(([key]) => !Object.hasOwn(places, key))
      .map(([key, value]) => [
        key,
        Object.hasOwn(CONVERTERS, key) ? CONVERTERS[key]!(value, conversion) : value,
      ]),
  );
  const details: Fields = isJsonObject(fields.details) ? { ...fields.details } : {};
  const options: Fields = {};
  for (const [key, value] of entries) {
    if (!Object.hasOwn(places, key)) continue;
    const place = places[key]!;
    const [parent, name = parent] = place;
    const target = { network_options: options, details, text: fields }[parent];
    moves.push({ from: [key], to: place });
    if (Object.hasOwn(target, name)) problems.push(sentTwice([...path, key]));
    target[name] = value;
  }
  // Any other value is a problem, which the reader reports.
  if (Object.keys(details).length > 0 && isJsonObject(fields.details ?? details))
    fields.details = details;
  return { fields, options };
}

const toCamelCase = (key: string): string =>
  key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The keys of a content that updates do not have, in v1 spelling. */
const moreKeysOf = (places: Readonly<Record<string, Place>>): MoreFields['keys'] => ({
  post: [...new Set(Object.keys(places).map(toSnakeCase))],
  media: [...Object.keys(MEDIA_ALIASES), 'type'],
  recurring: Object.keys(RECURRING_ALIASES),
});
const MORE_KEYS = moreKeysOf(PLACES);
const MORE_VIDEO_KEYS = moreKeysOf(VIDEO_PLACES);

/** Adds what updates of v1 do not have: options of networks, and types of media. */
function complete(input: Fields, content: Fields, options: Fields): Fields {
  const types = Array.isArray(content.media)
    ? content.media.map((item: unknown) => (isJsonObject(item) ? item.type : undefined))
    : [];
  return {
    ...input,
    ...(Array.isArray(input.media) && {
      media: input.media.map((item: unknown, index) =>
        isJsonObject(item) && types[index] !== undefined ? { ...item, type: types[index] } : item,
      ),
    }),
    ...(Object.keys(options).length > 0 && {
      networkOptions: Object.fromEntries(
        Object.entries(options).map(([key, value]) => [toCamelCase(key), value]),
      ),
    }),
  };
}

/** Where the client sent the value of a problem. */
function asSent({ path, moves }: Conversion, problem: Problem): Problem {
  const inPatch = problem.path.slice(path.length);
  const move = moves.find(({ to }) => to.every((step, index) => inPatch[index] === step));
  return move
    ? { ...problem, path: [...path, ...move.from, ...inPatch.slice(move.to.length)] }
    : problem;
}

/** Reads contents of posts (D50): the fields of an update, and what only creations have. */
export const createContentReader =
  ({ readFields }: FieldMapping) =>
  (network: Network | null) =>
  (value: unknown, path: Path, problems: Problem[]): PostPatch | undefined => {
    if (!isJsonObject(value)) {
      problems.push({ path, message: 'must be an object' });
      return undefined;
    }
    const conversion: Conversion = { problems, path, moves: [] };
    const { fields, options } = toFields(value, network, conversion);
    const read = readFields(fields, path, {
      complete: (input) => complete(input, value, options),
      keys: isTextDescription(network) ? MORE_VIDEO_KEYS : MORE_KEYS,
    });
    problems.push(...read.problems.map((problem) => asSent(conversion, problem)));
    return read.patch;
  };

/** Reads a content for a network; null for all networks. */
export type ReadContent = ReturnType<typeof createContentReader>;
