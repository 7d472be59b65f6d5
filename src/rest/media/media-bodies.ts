import { MEDIA as MEDIA_KEYS } from '../../domain/posts/post-settings.js';
import { flag, integer, list, line, text, webUrl } from '../../domain/input/readers.js';
import {
  MEDIA_FILE_LIMITS,
  type MediaItem,
  type VideoProperties,
} from '../../domain/media/media-file.js';
import type { MediaUsage, QuotaUse } from '../../domain/media/media-quota.js';
import { mediaValidity } from '../../domain/media/media-validity.js';
import { MEDIA_TYPES, type Media } from '../../domain/posts/post-content.js';
import { field, presentFields, schemaOf } from '../body-fields.js';
import { objectReader } from '../../http/body-readers.js';
import {
  arrayOf,
  BOOLEAN,
  enumOf,
  INTEGER,
  nullable,
  NUMBER,
  objectOf,
  TEXT,
  TIMESTAMP,
  withDescription,
  type JsonSchema,
} from '../../http/json-schema.js';

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
  for (const { network, type, valid, reason } of file?.content ? mediaValidity(file.content) : [])
    (byNetwork[network] ??= {})[type] = valid || reason!;
  return byNetwork;
}

const videoOf = ({ file }: MediaItem): VideoProperties | null => file?.content?.video ?? null;

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
      'Width of a picture or video in pixels, as viewers see it. Null for documents, and if a video does not say it.',
      nullable(INTEGER),
    ),
    ({ file }: MediaItem) => file?.content?.size?.width ?? null,
  ),
  height: field(
    withDescription(
      'Height of a picture or video in pixels, as viewers see it. Null for documents, and if a video does not say it.',
      nullable(INTEGER),
    ),
    ({ file }: MediaItem) => file?.content?.size?.height ?? null,
  ),
  duration_ms: field(
    withDescription(
      'Duration of a video in milliseconds. Null for other files, and if it is unknown.',
      nullable(INTEGER),
    ),
    (item: MediaItem) => videoOf(item)?.durationMs ?? null,
  ),
  video_codec: field(
    withDescription(
      'Codec of the picture of a video, such as `h264`. Null for other files, and if it is unknown.',
      nullable(TEXT),
    ),
    (item: MediaItem) => videoOf(item)?.videoCodec ?? null,
  ),
  audio_codec: field(
    withDescription(
      'Codec of the sound of a video, such as `aac`. Null for other files and videos without sound, and if it is unknown.',
      nullable(TEXT),
    ),
    (item: MediaItem) => videoOf(item)?.audioCodec ?? null,
  ),
  frame_rate: field(
    withDescription(
      'Average number of frames per second of a video. Null for other files, and if it is unknown.',
      nullable(NUMBER),
    ),
    (item: MediaItem) => videoOf(item)?.frameRate ?? null,
  ),
  type: field(enumOf(MEDIA_TYPES), ({ type }: MediaItem) => type),
  name: field(nullable(TEXT), ({ title }: MediaItem) => title),
  caption: field(
    withDescription('Alternative text.', nullable(TEXT)),
    ({ altText }: MediaItem) => altText,
  ),
  validity: field(VALIDITY, presentValidity),
};

const QUOTA_USE = {
  used: field(INTEGER, ({ used }: QuotaUse) => used),
  limit: field(
    withDescription('Maximum, set by the operator for the plan of the workspace owner.', INTEGER),
    ({ limit }: QuotaUse) => limit,
  ),
  remaining: field(INTEGER, ({ remaining }: QuotaUse) => remaining),
};
const quotaUse = (description: string): JsonSchema =>
  withDescription(description, schemaOf(QUOTA_USE));

/** What the media of a workspace take up, with its quotas. */
export const MEDIA_USAGE = {
  bytes: field(
    quotaUse('Bytes of the files of the workspace, and of those that upload URLs accept.'),
    ({ bytes }: MediaUsage) => presentFields(QUOTA_USE, bytes),
  ),
  open_uploads: field(quotaUse('Upload URLs that accept a file.'), ({ openUploads }: MediaUsage) =>
    presentFields(QUOTA_USE, openUploads),
  ),
  waiting_imports: field(
    quotaUse('Imported files that jobs still have to fetch.'),
    ({ waitingImports }: MediaUsage) => presentFields(QUOTA_USE, waitingImports),
  ),
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
  MediaUsage: schemaOf(MEDIA_USAGE),
  UploadMedia: UPLOAD_FORM,
  DeletedMedia: objectOf({ deleted_id: TEXT }),
  ImportJob: objectOf({ job_id: { ...TEXT, pattern: '^job_' } }),
  ImportPreview: objectOf({ media: arrayOf(schemaOf(IMPORTED_MEDIA)) }),
  MediaUpload: objectOf({
    media_id: withDescription('The media item, which is not ready yet.', TEXT),
    url: withDescription(
      'Address that accepts the bytes of the file once, with PUT and without a key.',
      TEXT,
    ),
    expires_at: withDescription('Time until which the address can be used.', TIMESTAMP),
  }),
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

/** Body of a change of a media item. */
export const UPDATE_MEDIA_READER = objectReader<{ caption?: string | null }>({
  caption: {
    schema: withDescription(
      'New alternative text. `null` removes the text; an absent key keeps it.',
      nullable({ ...TEXT, ...MEDIA_KEYS.caption.limit }),
    ),
    read: text(MEDIA_KEYS.caption.limit),
  },
});

/** Body of the creation of an upload address. */
export const UPLOAD_READER = objectReader<{
  name: string;
  bytes: number;
  caption?: string | null;
  in_library?: boolean | null;
}>(
  {
    name: {
      schema: withDescription('Name of the file.', { ...TEXT, ...NAME_LIMIT }),
      read: line(NAME_LIMIT),
    },
    bytes: {
      schema: withDescription('Size of the file. A file of another size is rejected.', {
        ...INTEGER,
        minimum: 1,
        maximum: MEDIA_FILE_LIMITS.bytes,
      }),
      read: integer({ minimum: 1, maximum: MEDIA_FILE_LIMITS.bytes }),
    },
    caption: {
      schema: withDescription('Alternative text.', { ...TEXT, ...MEDIA_KEYS.caption.limit }),
      read: text(MEDIA_KEYS.caption.limit),
    },
    in_library: {
      schema: withDescription(
        'Whether the file is added to the media library, which is the default.',
        BOOLEAN,
      ),
      read: flag,
    },
  },
  ['name', 'bytes'],
);
