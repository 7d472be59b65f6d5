import { oneOf } from '../../domain/changes/patch-enums.js';
import { enumKeys } from '../../domain/enums.js';
import { instant, isTime } from '../../domain/input/date-readers.js';
import { flag, matching } from '../../domain/input/readers.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import { BOOLEAN, enumOf, nullable, ref, TEXT, withDescription } from '../bodies/json-schema.js';
import {
  listReader,
  nullableReader,
  objectReader,
  type BodyReader,
  type ReservedKeys,
} from '../requests/body-object-reader.js';
import type { FieldMapping } from '../requests/field-mapping.js';
import { TIME_RANGE } from '../requests/param-types.js';
import type { TimeRange } from '../requests/time-range.js';
import { createContentReader, RESERVED_KEYS, type ReadContent } from './content-reader.js';
import {
  findBodyProblems,
  type AccountInput,
  type CreationInput,
  type CreationRoute,
  type EntryInput,
  type RangeInput,
} from './creation-input.js';
import { networksReader } from './networks-reader.js';
import { CREATION_STATES, type CreationState } from './to-creation.js';

const { creationItems: MAX_ITEMS, newPosts: MAX_ACCOUNTS } = REQUEST_LIMITS;

const text = matching((value): value is string => typeof value === 'string', 'must be a string');
const timeText = matching(
  (value): value is string => typeof value === 'string' && isTime(value),
  'must be a time with seconds and zone, such as 2026-05-01T09:00:00Z or 2026-05-01T09:00:00+02:00',
);
/** Reads a time, truncated to whole seconds. */
export const TIME: BodyReader<Date> = {
  schema: { ...TEXT, format: 'date-time', examples: ['2026-12-01T09:30:00+00:00'] },
  read(value, path, problems) {
    const time = timeText(value, path, problems);
    return time === undefined ? undefined : instant(new Date(time), path, problems);
  },
};
const ID: BodyReader<string> = { schema: TEXT, read: text };

/** Reads one field of a post, as a patch. */
const fieldReader = (
  readContent: ReadContent,
  field: keyof PostPatch,
  schema: BodyReader<unknown>['schema'],
): BodyReader<PostPatch> => ({
  schema,
  read: (value, path, problems) =>
    readContent(null)({ [field]: value }, path.slice(0, -1), problems),
});

const FLAG: BodyReader<boolean> = { schema: BOOLEAN, read: flag };
const RANGE_END: BodyReader<TimeRange> = {
  schema: TIME_RANGE.schema,
  read(value, path, problems) {
    const read = TIME_RANGE.read(typeof value === 'string' ? value : '');
    if ('value' in read) return read.value;
    problems.push({ path, message: read.expected });
    return undefined;
  },
};
/** The keys of an entry whose times are those of the queues of its accounts (D61). */
const QUEUE_KEYS = {
  auto: nullableReader({
    ...FLAG,
    schema: withDescription('Whether the queue of each account determines the time.', BOOLEAN),
  }),
  share_next: nullableReader({
    ...FLAG,
    schema: withDescription('Same as `auto` without a `range`.', BOOLEAN),
  }),
  range: nullableReader(
    objectReader<RangeInput>({
      start_date: nullableReader(RANGE_END),
      end_date: nullableReader(RANGE_END),
    }),
  ),
};

/** Keys that are refused: for every route, and on posts that are shared now, those of times. */
const reservedKeys = (route: CreationRoute, timeKeys: readonly string[]): ReservedKeys =>
  route === 'schedule'
    ? RESERVED_KEYS
    : {
        ...RESERVED_KEYS,
        ...Object.fromEntries(
          timeKeys.map((key) => [key, 'is not allowed here: these posts are shared now']),
        ),
      };

function accountReader(route: CreationRoute, readContent: ReadContent): BodyReader<AccountInput> {
  const labels = nullableReader(
    fieldReader(readContent, 'labels', {
      type: 'array',
      items: { anyOf: [TEXT, ref('LabelInput')] },
      maxItems: 50,
    }),
  );
  const time = { scheduled_at: nullableReader(TIME) };
  return objectReader<AccountInput>(
    { id: ID, ...(route === 'schedule' && time), labels } as Parameters<
      typeof objectReader<AccountInput>
    >[0],
    ['id'],
    reservedKeys(route, ['scheduled_at']),
  );
}

/** The reader of the body of a creation (D50). */
export function createCreationReader(
  fieldMapping: FieldMapping,
  route: CreationRoute,
): BodyReader<CreationInput> {
  const readContent = createContentReader(fieldMapping);
  const states: readonly CreationState[] =
    route === 'publish' ? ['scheduled'] : enumKeys(CREATION_STATES);
  const state: BodyReader<CreationState> = { schema: enumOf(states), read: oneOf(states) };
  const entry = objectReader<EntryInput>(
    {
      networks: networksReader(readContent),
      accounts: nullableReader(
        listReader(accountReader(route, readContent), { maxItems: MAX_ACCOUNTS }),
      ),
      recurring: fieldReader(readContent, 'recurring', nullable(ref('Recurrence'))),
      recycling: fieldReader(readContent, 'recycling', nullable(ref('RecyclingInput'))),
      ...(route === 'schedule' && QUEUE_KEYS),
    } as Parameters<typeof objectReader<EntryInput>>[0],
    ['networks'],
    reservedKeys(route, ['auto', 'share_next', 'range']),
  );
  const body = objectReader<CreationInput>(
    {
      bulk: objectReader<CreationInput['bulk']>(
        {
          state: route === 'publish' ? nullableReader(state) : state,
          posts: listReader(entry, { minItems: 1, maxItems: MAX_ITEMS }),
        },
        route === 'publish' ? ['posts'] : ['state', 'posts'],
      ),
    },
    ['bulk'],
  );
  return {
    schema: body.schema,
    read(value, path, problems) {
      const input = body.read(value, path, problems);
      if (input && problems.length === 0) problems.push(...findBodyProblems(input));
      return input;
    },
  };
}
