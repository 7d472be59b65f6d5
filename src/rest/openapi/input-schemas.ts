import {
  isEnumType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import type { FieldLimit } from '../../domain/input/readers.js';
import type { ShapeKey } from '../../domain/input/shapes.js';
import { NETWORK_OPTIONS } from '../../domain/posts/post-settings.js';
import { MEDIA_TYPES } from '../../domain/posts/post-content.js';
import { PATCH_FIELDS, fieldOf, FIELD_LIMITS } from '../../domain/posts/post-fields.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import { inputTypesOf, v1FieldsOf, type FieldMapping } from '../field-mapping.js';
import {
  arrayOf,
  BOOLEAN,
  enumOf,
  INTEGER,
  nullable,
  NUMBER,
  objectOf,
  ref,
  TEXT,
  withDescription,
  type JsonSchema,
} from '../../http/json-schema.js';
import { MEDIA_ALIASES, RECURRING_ALIASES, RESERVED_KEYS } from '../posts/content-reader.js';
import { createCreationReader } from '../posts/creation-body.js';

/**
 * Fields that are nullable in GraphQL so that they can be omitted, but that v1 does not allow to be
 * null (D20).
 */
const NEVER_NULL = new Set(
  PATCH_FIELDS.filter((field) => fieldOf(field).empty === undefined).map(
    (field) => `PostPatch.${field}`,
  ),
);

/** Fields that GraphQL requires, but that v1 keeps if they are absent (D20). */
const KEPT_IN_V1 = new Set(['LocationInput.id']);

/** JSON Schemas of the GraphQL scalars that an update contains. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: TEXT,
  ID: TEXT,
  Int: INTEGER,
  Float: NUMBER,
  Boolean: BOOLEAN,
  JSON: {},
};

/**
 * JSON Schemas of the body of `PUT /v1/posts/{id}`, by name. Derived from the input type that also
 * reads the body.
 */
export const inputSchemas = (
  postPatch: GraphQLInputObjectType,
): Readonly<Record<string, JsonSchema>> => ({
  ...Object.fromEntries(inputTypesOf(postPatch).map((type) => [type.name, objectSchema(type)])),
  UpdatePost: {
    type: 'object',
    properties: { post: ref(postPatch.name) },
    required: ['post'],
    additionalProperties: false,
  },
});

function objectSchema(type: GraphQLInputObjectType): JsonSchema {
  const fields = [...v1FieldsOf(type)];
  const required = fields
    .filter(([, f]) => isRequiredInputField(f) && !KEPT_IN_V1.has(`${type.name}.${f.name}`))
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(type, field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function fieldSchema(
  owner: GraphQLInputObjectType,
  { name, type, description }: GraphQLInputField,
): JsonSchema {
  const limit = limitsOf(owner)[name] ?? {};
  const isNullable = !isNonNullType(type) && !NEVER_NULL.has(`${owner.name}.${name}`);
  const schema = isNullable ? nullable(typeSchema(type, limit)) : typeSchema(type, limit);
  return description
    ? withDescription(description.replace(/\b[a-z]+[A-Z]\w*/g, toSnakeCase), schema)
    : schema;
}

/** The limits of an input type: those of `link` for `LinkInput`. */
function limitsOf({ name }: GraphQLInputObjectType): Readonly<Record<string, FieldLimit>> {
  const shape = name.replace(/Input$/, '').replace(/^./, (letter) => letter.toLowerCase());
  return FIELD_LIMITS[shape] ?? {};
}

/** The schema of a GraphQL type. List items are never null. */
function typeSchema(type: GraphQLInputType, { items = {}, ...limit }: FieldLimit): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType, { items, ...limit });
  if (isListType(type)) return { ...arrayOf(typeSchema(type.ofType, items)), ...limit };
  if (isEnumType(type)) return enumOf(type.getValues().map(({ name }) => name.toLowerCase()));
  if (!isScalarType(type)) return ref(type.name);
  const schema = SCALARS[type.name];
  if (!schema) throw new Error(`No JSON Schema for the scalar ${type.name}`);
  return { ...schema, ...limit };
}

type Properties = Readonly<Record<string, JsonSchema>>;

const propertiesOf = ({ properties }: JsonSchema): Properties => properties as Properties;

/** The object with the same properties and these. */
const extended = (schema: JsonSchema, properties: Properties): JsonSchema => ({
  ...schema,
  properties: { ...propertiesOf(schema), ...properties },
});

/** Other names of properties. */
const aliased = (schema: JsonSchema, aliases: Readonly<Record<string, string>>): Properties =>
  Object.fromEntries(
    Object.entries(aliases).map(([alias, name]) => [
      alias,
      withDescription(`Another name of \`${name}\`.`, propertiesOf(schema)[name]!),
    ]),
  );

const OPTION_TYPES: Readonly<Partial<Record<ShapeKey['type'], JsonSchema>>> = {
  flag: BOOLEAN,
  integer: INTEGER,
};
const optionSchema = ({ type, limit }: ShapeKey): JsonSchema => ({
  ...(OPTION_TYPES[type] ?? TEXT),
  ...limit,
});

const OPTIONS: Properties = Object.fromEntries(
  Object.entries<ShapeKey>(NETWORK_OPTIONS).flatMap(([key, option]) => {
    const schema = withDescription(
      'Option that is specific to one network, such as the board of a pin.',
      nullable(optionSchema(option)),
    );
    return [
      [key, schema],
      [toSnakeCase(key), schema],
    ];
  }),
);
const IGNORED: Properties = Object.fromEntries(
  Object.entries(RESERVED_KEYS)
    .filter(([, message]) => message === null)
    .map(([key]) => [key, withDescription('Ignored.', {})]),
);

/** Schemas of the bodies of creations by component name, from those of an update. */
export function creationSchemas(
  fieldMapping: FieldMapping,
  { MediaInput, RecurringInput, PostPatch }: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const { media, labels, text } = propertiesOf(PostPatch!);
  const content = extended(PostPatch!, {
    media: { ...media, items: ref('PostMedia') },
    labels: { ...labels, items: { anyOf: [TEXT, ref('LabelInput')] } },
    recurring: nullable(ref('Recurrence')),
    ...OPTIONS,
    privacy: withDescription('Another name of `details.privacy`.', nullable(TEXT)),
    ...IGNORED,
  });
  return {
    SchedulePosts: createCreationReader(fieldMapping, 'schedule').schema,
    PublishPosts: createCreationReader(fieldMapping, 'publish').schema,
    PostContent: content,
    VideoContent: extended(content, {
      description: withDescription('Another name of `text`.', text!),
    }),
    PostMedia: extended(MediaInput!, {
      ...aliased(MediaInput!, MEDIA_ALIASES),
      type: withDescription(
        'Type of a new file, if the type does not follow from the URL.',
        nullable(enumOf([...MEDIA_TYPES, 'image'])),
      ),
    }),
    Recurrence: extended(RecurringInput!, aliased(RecurringInput!, RECURRING_ALIASES)),
    CreationJob: objectOf({ job_id: { ...TEXT, pattern: '^job_' } }),
  };
}
