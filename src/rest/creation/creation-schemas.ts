import { PART_LIMITS } from '../../domain/input/field-limits.js';
import { MEDIA_TYPES } from '../../domain/posts/post-content.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import {
  BOOLEAN,
  enumOf,
  nullable,
  objectOf,
  ref,
  TEXT,
  withDescription,
  type JsonSchema,
} from '../bodies/json-schema.js';
import type { FieldMapping } from '../requests/field-mapping.js';
import { MEDIA_ALIASES, OPTION_KEYS, RECURRING_ALIASES, RESERVED_KEYS } from './content-reader.js';
import { createCreationReader } from './creation-body.js';

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

const optionSchema = (key: (typeof OPTION_KEYS)[number]): JsonSchema =>
  key in PART_LIMITS.networkOptions
    ? { ...TEXT, ...PART_LIMITS.networkOptions[key as keyof typeof PART_LIMITS.networkOptions] }
    : BOOLEAN;

const OPTIONS: Properties = Object.fromEntries(
  OPTION_KEYS.flatMap((key) => {
    const schema = withDescription(
      'Option that is specific to one network, such as the board of a pin.',
      nullable(optionSchema(key)),
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
