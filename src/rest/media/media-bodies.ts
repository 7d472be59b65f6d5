import { MEDIA as MEDIA_KEYS } from '../../domain/posts/post-settings.js';
import { list } from '../../domain/input/readers.js';
import { line, text, webUrl } from '../../domain/input/text-readers.js';
import { MEDIA_FILE_LIMITS, type MediaItem } from '../../domain/media/media-file.js';
import { mediaValidity } from '../../domain/media/media-validity.js';
import { MEDIA_TYPES, type Media } from '../../domain/posts/post-content.js';
import { field, schemaOf } from '../body-fields.js';
import { objectReader } from '../body-readers.js';
import {
  arrayOf,
  enumOf,
  INTEGER,
  nullable,
  objectOf,
  TEXT,
  withDescription,
  type JsonSchema,
} from '../json-schema.js';

/** A media item of a post or of the media library. */
export const MEDIA = {
  id: field(TEXT, ({ id }: Media) => id),
  type: field(enumOf(MEDIA_TYPES), ({ type }: Media) => type),
  url: field(TEXT, ({ url }: Media) => url),
  alt_text: field(nullable(TEXT), ({ altText }: Media) => altText),
};

const VALIDITY: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'boolean', const: true }, TEXT] },
  },
  description:
    'By network and type of post: `true` if such a post can have the file; otherwise, the reason. Empty for a file that the gateway does not store.',
};

/** The validity of a file by network and type of post. */
function presentValidity({ file }: MediaItem): Record<string, Record<string, true | string>> {
  const byNetwork: Record<string, Record<string, true | string>> = {};
  for (const { network, type, reason } of file?.content ? mediaValidity(file.content) : [])
    (byNetwork[network] ??= {})[type] = reason ?? true;
  return byNetwork;
}

/** A media item with its file (D63). */
export const UPLOADED_MEDIA = {
  id: field(TEXT, ({ id }: MediaItem) => id),
  path: field(
    withDescription('URL of the file. Anyone who knows it can read the file.', TEXT),
    ({ url }: MediaItem) => url,
  ),
  thumbnail: field(
    withDescription(
      'URL of a small version of a picture. Null for videos and documents.',
      nullable(TEXT),
    ),
    ({ file }: MediaItem) => file?.thumbnailUrl ?? null,
  ),
  width: field(
    withDescription(
      'Width of a picture in pixels. Null for videos and documents.',
      nullable(INTEGER),
    ),
    ({ file }: MediaItem) => file?.content?.size?.width ?? null,
  ),
  height: field(
    withDescription(
      'Height of a picture in pixels. Null for videos and documents.',
      nullable(INTEGER),
    ),
    ({ file }: MediaItem) => file?.content?.size?.height ?? null,
  ),
  type: field(enumOf(MEDIA_TYPES), ({ type }: MediaItem) => type),
  name: field(nullable(TEXT), ({ title }: MediaItem) => title),
  caption: field(
    withDescription('Alternative text.', nullable(TEXT)),
    ({ altText }: MediaItem) => altText,
  ),
  validity: field(VALIDITY, presentValidity),
};

/** A media item that an import would create, in the response to a dry run (D63). */
export const IMPORTED_MEDIA = {
  id: field(
    withDescription('Placeholder, such as `dry_run_media_1`.', TEXT),
    ({ id }: Media) => id,
  ),
  path: field(
    withDescription('URL from which the file would be fetched.', TEXT),
    ({ url }: Media) => url,
  ),
  name: field(nullable(TEXT), ({ title }: Media) => title),
  caption: field(nullable(TEXT), ({ altText }: Media) => altText),
};

const UPLOAD_FORM = objectOf(
  {
    file: withDescription('The file. Required.', {
      type: 'string',
      contentMediaType: 'application/octet-stream',
    }),
    name: withDescription('Name of the file. Defaults to the name that is sent with the file.', {
      ...TEXT,
      maxLength: MEDIA_FILE_LIMITS.nameLength,
    }),
    caption: withDescription('Alternative text.', { ...TEXT, ...MEDIA_KEYS.caption.limit }),
    in_library: withDescription(
      'Whether the file is added to the media library, which is the default.',
      enumOf(['true', 'false']),
    ),
  },
  ['name', 'caption', 'in_library'],
);

/** Schemas of the bodies of media by component name. */
export const MEDIA_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  UploadedMedia: schemaOf(UPLOADED_MEDIA),
  UploadMedia: UPLOAD_FORM,
  ImportJob: objectOf({ job_id: { ...TEXT, pattern: '^job_' } }),
  ImportPreview: objectOf({ media: arrayOf(schemaOf(IMPORTED_MEDIA)) }),
};

interface ImportedItem {
  url: string;
  name?: string | null;
  caption?: string | null;
}

const URL_LIMIT = { maxLength: 2_048 } as const;
const NAME_LIMIT = { maxLength: MEDIA_FILE_LIMITS.nameLength } as const;

const ITEM = objectReader<ImportedItem>(
  {
    url: {
      schema: withDescription('Public https URL of the file itself. Redirects are not followed.', {
        ...TEXT,
        ...URL_LIMIT,
      }),
      read: webUrl(URL_LIMIT),
    },
    name: {
      schema: withDescription('Name of the file.', nullable({ ...TEXT, ...NAME_LIMIT })),
      read: line(NAME_LIMIT),
    },
    caption: {
      schema: withDescription(
        'Alternative text.',
        nullable({ ...TEXT, ...MEDIA_KEYS.caption.limit }),
      ),
      read: text(MEDIA_KEYS.caption.limit),
    },
  },
  ['url'],
);

const ITEMS_LIMIT = { maxItems: MEDIA_FILE_LIMITS.importedUrls } as const;

/** Body of an import of media. */
export const IMPORT_READER = objectReader<{ media: ImportedItem[] }>(
  {
    media: {
      schema: { ...arrayOf(ITEM.schema), minItems: 1, ...ITEMS_LIMIT },
      read(value, path, problems) {
        const items = list(ITEM.read, ITEMS_LIMIT)(value, path, problems);
        if (items?.length !== 0) return items;
        problems.push({ path, message: 'must have at least 1 item' });
        return undefined;
      },
    },
  },
  ['media'],
);
