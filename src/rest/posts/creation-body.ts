import { enumKeys } from '../../domain/enums.js';
import type { Problem } from '../../domain/errors.js';
import { isJsonObject, matching, oneOf } from '../../domain/input/readers.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import type { PostPatch } from '../../domain/posts/post-fields.js';
import type { CreationItem } from '../../services/posts/creation/creation-request.js';
import {
  listReader,
  nullableReader,
  objectReader,
  TIME,
  TRUE_OR_FALSE,
  type BodyReader,
  type ReservedKeys,
} from '../../http/body-readers.js';
import type { FieldMapping } from '../field-mapping.js';
import {
  BOOLEAN,
  enumOf,
  nullable,
  objectOf,
  ref,
  TEXT,
  withDescription,
} from '../../http/json-schema.js';
import { TIME_RANGE, type TimeRange } from '../query-params.js';
import {
  createContentReader,
  isTextDescription,
  RESERVED_KEYS,
  type ReadContent,
} from './content-reader.js';

const { creationItems: MAX_ITEMS, newPosts: MAX_ACCOUNTS } = REQUEST_LIMITS;

type Mode = Pick<CreationItem, 'mode' | 'visibility'>;

/** The states that a creation of v1 can ask for (D50). */
export const CREATION_STATES = {
  scheduled: { mode: 'schedule', visibility: 'account' },
  draft: { mode: 'draft', visibility: 'account' },
  draft_private: { mode: 'draft', visibility: 'private' },
  draft_public: { mode: 'draft', visibility: 'public' },
  recurring: { mode: 'schedule', visibility: 'account' },
} as const satisfies Record<string, Mode>;
export type CreationState = keyof typeof CREATION_STATES;
/** The state of posts that are shared now. */
export const DEFAULT_STATE: CreationState = 'scheduled';

const SHARE_NOW: Mode = { mode: 'share_now', visibility: 'account' };

/** An account of an entry: what differs for it. */
export interface AccountInput {
  id: string;
  scheduled_at?: Date | null;
  /** A patch of the labels. */
  labels?: PostPatch | null;
}
/** The contents of an entry by network. */
export interface NetworksInput {
  readonly common: PostPatch;
  readonly variants: ReadonlyMap<Network, PostPatch>;
}
/** A period; a date is a whole UTC day. */
export interface RangeInput {
  start_date?: TimeRange | null;
  end_date?: TimeRange | null;
}
/** An entry of a creation: one content, for several accounts. */
export interface EntryInput {
  networks: NetworksInput;
  accounts?: AccountInput[] | null;
  /** A patch of the repetition. */
  recurring?: PostPatch | null;
  recycling?: PostPatch | null;
  /** Whether each account's queue determines the time. */
  auto?: boolean | null;
  share_next?: boolean | null;
  /** The period in which `auto` looks for free times. */
  range?: RangeInput | null;
}
/** The body of a creation. Posts that are shared now are scheduled ones: they need no state. */
export interface CreationInput {
  bulk: { state?: CreationState | null; posts: EntryInput[] };
}

/** `schedule`: posts have times and states. `publish`: all are shared now. */
export type CreationRoute = 'schedule' | 'publish';

/** Why an entry cannot be created, regardless of its accounts. Paths start at the entry. */
function findEntryProblems(
  { accounts, networks, recurring, auto, share_next: shareNext, range }: EntryInput,
  state: CreationState,
): Problem[] {
  const isDraft = CREATION_STATES[state].mode === 'draft';
  const isRecurring =
    recurring || [networks.common, ...networks.variants.values()].some((patch) => patch.recurring);
  const { start_date: start, end_date: end } = range ?? {};
  const rules: [key: keyof EntryInput, isBroken: boolean, message: string][] = [
    [
      'accounts',
      !isDraft && (accounts ?? []).length === 0,
      'must have an entry: only a draft can be without an account',
    ],
    ['recurring', state === 'recurring' && !isRecurring, 'required with the state recurring'],
    ['auto', auto === true && state !== 'scheduled', 'requires the state scheduled'],
    ['share_next', shareNext === true && state !== 'scheduled', 'requires the state scheduled'],
    ['range', Boolean(range) && auto !== true, 'requires auto: true'],
    ['range', Boolean(start && end && start.start > end.end), 'must not end before it starts'],
  ];
  return rules.flatMap(([key, isBroken, message]) => (isBroken ? [{ path: [key], message }] : []));
}

/** Problems of a body that concern several of its keys. */
export function findBodyProblems({ bulk: { state, posts } }: CreationInput): Problem[] {
  const total = posts.reduce((sum, { accounts }) => sum + Math.max(1, accounts?.length ?? 0), 0);
  const tooMany: Problem = {
    path: ['bulk', 'posts'],
    message: `may have at most ${MAX_ACCOUNTS} accounts in all; they have ${total}`,
  };
  return [
    ...posts.flatMap((entry, index) =>
      findEntryProblems(entry, state ?? DEFAULT_STATE).map(({ path, message }) => ({
        path: ['bulk', 'posts', index, ...path],
        message,
      })),
    ),
    ...(total > MAX_ACCOUNTS ? [tooMany] : []),
  ];
}

/** The network of each key of `networks`; null for the content of all others. */
const NETWORK_KEYS: ReadonlyMap<string, Network | null> = new Map([
  ['default', null],
  ...enumKeys<Network>(NETWORKS).map((network) => [network, network] as const),
  ...enumKeys<Network>(NETWORKS).flatMap((network) =>
    (NETWORKS[network].aliases ?? []).map((alias) => [alias, network] as const),
  ),
]);

/** A content needs a type, unless the one for all networks has it. */
function findMissingTypes(networks: Record<string, unknown>, path: Problem['path']): Problem[] {
  const hasType = (content: unknown): boolean => !isJsonObject(content) || content.type != null;
  if (networks.default != null)
    return hasType(networks.default)
      ? []
      : [{ path: [...path, 'default', 'type'], message: 'required' }];
  return Object.keys(networks)
    .filter((key) => !hasType(networks[key]))
    .map((key) => ({ path: [...path, key, 'type'], message: 'required, unless default has it' }));
}

/** Reads the contents of an entry by network. */
export const networksReader = (readContent: ReadContent): BodyReader<NetworksInput> => ({
  schema: {
    ...objectOf(
      Object.fromEntries(
        [...NETWORK_KEYS].map(([key, network]) => [
          key,
          ref(isTextDescription(network) ? 'VideoContent' : 'PostContent'),
        ]),
      ),
      [...NETWORK_KEYS.keys()],
    ),
    minProperties: 1,
  },
  read(value, path, problems) {
    if (!isJsonObject(value) || Object.keys(value).length === 0) {
      problems.push({ path, message: 'must be an object with a content for a network or default' });
      return undefined;
    }
    let common: PostPatch = {};
    const variants = new Map<Network, PostPatch>();
    for (const [key, content] of Object.entries(value)) {
      const network = NETWORK_KEYS.get(key);
      const at = [...path, key];
      if (network === undefined) {
        const allowed = [...NETWORK_KEYS.keys()].join(', ');
        problems.push({ path: at, message: `unknown key; allowed: ${allowed}` });
        continue;
      }
      const patch = readContent(network)(content, at, problems) ?? {};
      if (network === null) common = patch;
      else if (variants.has(network))
        problems.push({ path: at, message: `${network} has an earlier content: send one` });
      else variants.set(network, patch);
    }
    problems.push(...findMissingTypes(value, path));
    return { common, variants };
  },
});

const text = matching((value): value is string => typeof value === 'string', 'must be a string');
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
    ...TRUE_OR_FALSE,
    schema: withDescription('Whether the queue of each account determines the time.', BOOLEAN),
  }),
  share_next: nullableReader({
    ...TRUE_OR_FALSE,
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

const toItem = (
  { networks, accounts, recurring, recycling, auto, share_next: shareNext, range }: EntryInput,
  mode: Mode,
): CreationItem => ({
  targets: (accounts ?? []).map(({ id, scheduled_at: scheduledAt, labels }) => ({
    accountId: id,
    scheduledAt: scheduledAt ?? null,
    post: labels ?? {},
  })),
  post: { ...networks.common, ...recurring, ...recycling },
  variants: networks.variants,
  scheduledAt: null,
  ...mode,
  ...((auto || shareNext) && {
    mode: 'add_to_queue',
    queuePeriod: {
      from: range?.start_date?.start ?? null,
      until: range?.end_date?.end ?? null,
    },
  }),
});

/** The items of a creation: one for each entry of the body. */
export const toCreationItems = (
  { bulk: { state, posts } }: CreationInput,
  route: CreationRoute,
): CreationItem[] => {
  const mode = route === 'publish' ? SHARE_NOW : CREATION_STATES[state ?? DEFAULT_STATE];
  return posts.map((entry) => toItem(entry, mode));
};
