import { PART_LIMITS } from '../../domain/input/field-limits.js';
import { list } from '../../domain/input/readers.js';
import { line, text, webUrl } from '../../domain/input/text-readers.js';
import { MEDIA_FILE_LIMITS } from '../../domain/media/media-file.js';
import { arrayOf, nullable, TEXT, withDescription } from '../bodies/json-schema.js';
import { FLAG } from './param-types.js';
import { singleParam, type QueryParams } from './params.js';
import { objectReader, type BodyReader } from './body-object-reader.js';

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
        nullable({ ...TEXT, ...PART_LIMITS.media.caption }),
      ),
      read: text(PART_LIMITS.media.caption),
    },
  },
  ['url'],
);
const MAX_ITEMS = { maxItems: MEDIA_FILE_LIMITS.importedUrls } as const;

/** Body of an import of media. */
export const IMPORT_READER: BodyReader<{ media: ImportedItem[] }> = objectReader<{
  media: ImportedItem[];
}>(
  {
    media: {
      schema: { ...arrayOf(ITEM.schema), minItems: 1, ...MAX_ITEMS },
      read: (value, path, problems) => {
        const items = list(ITEM.read, MAX_ITEMS)(value, path, problems);
        if (items?.length !== 0) return items;
        problems.push({ path, message: 'must have at least 1 item' });
        return undefined;
      },
    },
  },
  ['media'],
);

/** Query parameters of an import of media. */
export const IMPORT_PARAMS = {
  dry_run: singleParam(
    {
      schema: { ...FLAG.schema, examples: [true] },
      description: 'Checks all rules without adding or fetching anything.',
    },
    FLAG.read,
  ),
} satisfies QueryParams;
