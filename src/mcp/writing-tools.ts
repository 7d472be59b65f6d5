import { REVIEW_DECISIONS, type ReviewDecision } from '../domain/actions/post-actions.js';
import {
  DRAFT_VISIBILITIES,
  SHARE_MODES,
  type DraftVisibility,
  type ShareMode,
} from '../domain/creation/creation-modes.js';
import { enumKeys, POST_TYPES, type PostType } from '../domain/enums.js';
import type { Problem } from '../domain/errors.js';
import { jsonObject, line } from '../domain/input/readers.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import { RETENTION } from '../domain/jobs/retention.js';
import { NETWORKS, type Network } from '../domain/networks/networks.js';
import { readPatch, type PatchInput, type PostPatch } from '../domain/posts/post-fields.js';
import { NETWORK_OPTIONS } from '../domain/posts/post-settings.js';
import type { Post } from '../domain/posts/post.js';
import { toPostState } from '../domain/posts/states.js';
import { toSnakeCase } from '../domain/snake-case.js';
import {
  choice,
  described,
  listReader,
  objectReader,
  POST_VERSION,
  RECORD_ID,
  textReader,
  TRUE_OR_FALSE,
  type BodyReader,
} from '../http/body-readers.js';
import type { JsonSchema } from '../http/json-schema.js';
import {
  findScheduleProblems,
  type ActionRequest,
} from '../services/posts/actions/action-request.js';
import type { UpdateOutcome } from '../services/posts/update-post.js';
import { presentPost } from './post-views.js';
import {
  derivedKey,
  defineTool,
  HINTS,
  type Tool,
  type ToolAnswer,
  type ToolCall,
} from './tool.js';
import {
  refusalFailure,
  ToolError,
  toArgumentPath,
  toolFailure,
  toToolMessage,
  type ToolFailure,
} from './tool-errors.js';
import { presentTime, readToolTime, readZone } from './tool-times.js';

/** Posts, or accounts, of one call. */
const MAX_TARGETS = 25;

const OBJECT: JsonSchema = { type: 'object' };
const RESULTS: JsonSchema = { type: 'array', items: OBJECT };
const TEXT: JsonSchema = { type: 'string' };
const FLAG: JsonSchema = { type: 'boolean' };

const IDS = described('Post ids.', listReader(RECORD_ID, { minItems: 1, maxItems: MAX_TARGETS }));
const KEY: BodyReader<string> = {
  schema: { ...TEXT, maxLength: REQUEST_LIMITS.idempotencyKey },
  read: line({ minLength: 1, maxLength: REQUEST_LIMITS.idempotencyKey }),
};
const TOKEN = described('Only from an error CONFIRMATION_REQUIRED or preview.', textReader(100));
const AT = described(
  'Time with offset, or local as YYYY-MM-DDTHH:MM in time_zone.',
  textReader(40),
);
const ZONE = described('IANA name. Default: that of the workspace.', textReader(60));
const ALLOW_DUPLICATE = described(
  'Only if a person wants the same post again within 24 hours.',
  TRUE_OR_FALSE,
);
const VISIBILITY = described('Of drafts.', choice(enumKeys(DRAFT_VISIBILITIES)));
/** Both: the answers show what became of the posts. */
const WRITES = [['posts:read', 'posts:write']] as const;

const posts = (count: number): string => (count === 1 ? 'one post' : `${count} posts`);
const publishQuestion = (mode: ShareMode | null | undefined, count: number): string | null =>
  mode === 'share_now' ? `Publish ${posts(count)} at once?` : null;

/** What every call with a key of its own may send. */
interface Repeatable {
  idempotency_key?: string | null;
}
interface Confirmable extends Repeatable {
  confirm_token?: string | null;
}

type Times = { at?: string | null; time_zone?: string | null };
const readAt = ({ viewer, args }: ToolCall<Times>, text = args.at, field = 'at'): Date | null =>
  text ? readToolTime(text, readZone(args.time_zone, viewer.workspace.timeZone), field) : null;

/** The answer of a call on several posts; an error if none of them was changed. */
function answerOf(
  results: readonly ToolAnswer[],
  failures: readonly ToolFailure[],
  more: ToolAnswer = {},
): ToolAnswer {
  const answer = { results, ...more };
  if (failures.length > 0 && failures.length === results.length)
    throw new ToolError(failures[0]!, answer);
  return answer;
}

/** What became of one post that was refused. */
const refusedResult = (ids: ToolAnswer, failure: ToolFailure): ToolAnswer => ({
  ...ids,
  done: false,
  ...failure,
});

/** What a call makes of one post. */
const postResult = (post: Post, zone: string): ToolAnswer => ({
  id: post.id,
  version: post.version,
  account_id: post.accountId,
  state: toPostState(post.storedState),
  time: presentTime(post.scheduledAt, zone),
  url: post.postLink,
  done: true,
});

/** The path of an argument, from that of an action. */
const actionField = (path: readonly string[]): string =>
  path[0] === 'expectedVersion' ? 'expected_version' : toArgumentPath(path);

/** Does something with posts. One that is refused does not stop the others. */
async function act(
  { services, viewer, dryRun, args }: ToolCall<Repeatable>,
  request: Pick<ActionRequest, 'ids' | 'action' | 'expectedVersions'>,
): Promise<ToolAnswer> {
  const outcome = await services.posts.act(viewer, {
    ...request,
    policy: 'skip_refused',
    dryRun,
    ...(args.idempotency_key && { idempotencyKey: args.idempotency_key }),
  });
  if (outcome.kind === 'refused')
    throw new ToolError(refusalFailure(outcome.refusals[0]!, actionField));
  const failures: ToolFailure[] = [];
  const results = outcome.results.map(({ id, post, refusals: [refusal] }) => {
    if (!refusal) return postResult(post!, viewer.workspace.timeZone);
    const failure = refusalFailure(refusal, actionField);
    failures.push(failure);
    return refusedResult({ id }, failure);
  });
  const { job, replayed } = outcome;
  return answerOf(results, failures, {
    ...(job && { job_id: job.id }),
    ...(replayed && { replayed }),
  });
}

interface MediaArgument {
  media_id: string;
  alt_text?: string | null;
}
/** What a post says. */
interface Content {
  text?: string | null;
  title?: string | null;
  type?: PostType | null;
  link_url?: string | null;
  media?: MediaArgument[] | null;
  label_ids?: string[] | null;
  options?: Record<string, unknown> | null;
}
const POST_TEXT = textReader(100_000);
const TITLE = textReader(2_000);
const OPTIONS: BodyReader<Record<string, unknown>> = {
  schema: {
    ...OBJECT,
    description: `Of the network: ${Object.keys(NETWORK_OPTIONS).map(toSnakeCase).join(', ')}.`,
  },
  read: jsonObject,
};
const CONTENT = {
  text: POST_TEXT,
  title: TITLE,
  type: described('Default: from media and link_url.', choice(enumKeys(POST_TYPES))),
  link_url: textReader(2_048),
  media: listReader(
    objectReader<MediaArgument>({ media_id: RECORD_ID, alt_text: textReader(10_000) }, [
      'media_id',
    ]),
    { maxItems: 50 },
  ),
  label_ids: listReader(RECORD_ID, { maxItems: 50 }),
  options: OPTIONS,
};

const CAMEL_OPTIONS: ReadonlyMap<string, string> = new Map(
  Object.keys(NETWORK_OPTIONS).map((name) => [toSnakeCase(name), name]),
);

/** The names of the domain for the options of a network; null stays null. */
function toNetworkOptions(options: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(options).filter((key) => !CAMEL_OPTIONS.has(key));
  if (unknown.length > 0)
    throw new ToolError(
      toolFailure(
        'BAD_USER_INPUT',
        `options.${unknown[0]} is unknown; allowed: ${[...CAMEL_OPTIONS.keys()].join(', ')}.`,
        { field: `options.${unknown[0]}` },
      ),
    );
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [CAMEL_OPTIONS.get(key)!, value]),
  );
}

/** The labels of a patch: posts refer to them by name. */
async function labelsOf(
  { services, viewer }: ToolCall<unknown>,
  ids: readonly string[],
): Promise<{ name: string; color: string }[]> {
  const labels = await services.workspaceRecords.labelsById(viewer, ids);
  return ids.map((id, index) => {
    const label = labels.get(id);
    if (label) return { name: label.name, color: label.color };
    throw new ToolError(
      toolFailure(
        'BAD_USER_INPUT',
        `label_ids[${index}]: no label of this workspace has this ID.`,
        {
          field: `label_ids[${index}]`,
        },
      ),
    );
  });
}

/** The type of a post that has none, from what it contains. */
async function typeOf(
  { services, viewer }: ToolCall<unknown>,
  { media, link_url: link }: Content,
): Promise<PostType> {
  const ids = (media ?? []).map(({ media_id: id }) => id);
  if (ids.length === 0) return link ? 'link' : 'status';
  const found = await services.workspaceRecords.mediaById(viewer, ids);
  if ([...found.values()].some(({ type }) => type === 'video')) return 'video';
  return 'photo';
}

/** The content as a patch; absent keys are absent in it. @throws ToolError BAD_USER_INPUT */
async function patchOf(
  call: ToolCall<unknown>,
  content: Content,
  { prefix = '', needsType = false }: { prefix?: string; needsType?: boolean } = {},
): Promise<PostPatch> {
  const { text, title, type, link_url: url, media, label_ids: labelIds, options } = content;
  const sentType = type ?? (needsType ? await typeOf(call, content) : undefined);
  const input = {
    ...(text !== undefined && { text }),
    ...(title !== undefined && { title }),
    ...(sentType !== undefined && { type: sentType }),
    ...(url !== undefined && { url }),
    ...(media !== undefined && {
      media:
        media?.map(({ media_id: id, alt_text: caption }) => ({
          id,
          ...(caption !== undefined && { caption }),
        })) ?? null,
    }),
    ...(labelIds !== undefined && { labels: labelIds && (await labelsOf(call, labelIds)) }),
    ...(options !== undefined && { networkOptions: options && toNetworkOptions(options) }),
  };
  const { patch, problems } = readPatch(input as PatchInput);
  if (problems.length > 0) throw invalidContent(problems, prefix);
  return patch;
}

function invalidContent(problems: readonly Problem[], prefix: string): ToolError {
  const { path, message } = problems[0]!;
  const field = prefix + toArgumentPath(path);
  return new ToolError(
    toolFailure('BAD_USER_INPUT', `${field} ${toToolMessage(message)}.`, { field }),
  );
}

interface AccountArgument {
  account_id: string;
  text?: string | null;
  at?: string | null;
}
interface VariantArgument {
  network: Network;
  text?: string | null;
  title?: string | null;
  options?: Record<string, unknown> | null;
}
interface CreateArguments extends Content, Times, Confirmable {
  accounts: AccountArgument[];
  variants?: VariantArgument[] | null;
  mode?: ShareMode | null;
  visibility?: DraftVisibility | null;
  allow_duplicate?: boolean | null;
}

/** Problems of a creation that a draft, or other variants, would not have (D48). */
const findCreationProblems = ({ mode, visibility, variants }: CreateArguments): Problem[] => [
  // Otherwise an agent would take a published post for a private one.
  ...findScheduleProblems({
    mode: mode ?? 'draft',
    scheduledAt: null,
    visibility: visibility === 'private' ? visibility : null,
  }),
  ...(variants ?? []).flatMap(({ network }, index, all) =>
    all.findIndex((other) => other.network === network) < index
      ? [{ path: ['variants', index, 'network'], message: 'has an earlier variant; send one' }]
      : [],
  ),
];

/** The path of an argument, from that of a refusal of a target. */
const targetField =
  ({ accounts }: CreateArguments) =>
  (path: readonly string[]): string => {
    const [list, place = '', ...rest] = path;
    if (list === 'allowDuplicate') return 'allow_duplicate';
    if (list !== 'targets') return toArgumentPath(path);
    const own = accounts[Number(place)];
    const inPost = rest[0] === 'post' ? rest.slice(1) : rest;
    const name = toArgumentPath(inPost);
    const isOwn =
      name === 'account_id' || (name === 'text' && own?.text) || (name === 'at' && own?.at);
    return isOwn ? `accounts[${place}].${name}` : name || `accounts[${place}]`;
  };

/** Arguments that make a call what it is: a confirmation and a key do not. */
const withoutKeys = <Args extends Confirmable>({
  confirm_token: _token,
  idempotency_key: _key,
  ...args
}: Args): object => args;

/** The idempotency key of a call: the one that was sent, or one that the call itself gives. */
const keyOf = (call: ToolCall<Confirmable>, tool: string) =>
  call.args.idempotency_key
    ? { idempotencyKey: call.args.idempotency_key }
    : { idempotencyKey: derivedKey(call, tool, withoutKeys(call.args)), isKeyDerived: true };

async function createPosts(call: ToolCall<CreateArguments>): Promise<ToolAnswer> {
  const { args, services, viewer, dryRun } = call;
  const { accounts, variants, mode, visibility, allow_duplicate: allowsDuplicate } = args;
  const item = {
    targets: await Promise.all(
      accounts.map(async ({ account_id: accountId, text, at }, index) => ({
        accountId,
        scheduledAt: readAt(call, at ?? null, `accounts[${index}].at`),
        post: text ? await patchOf(call, { text }, { prefix: `accounts[${index}].` }) : {},
      })),
    ),
    post: await patchOf(call, args, { needsType: true }),
    variants: new Map(
      await Promise.all(
        (variants ?? []).map(
          async ({ network, ...content }, index) =>
            [network, await patchOf(call, content, { prefix: `variants[${index}].` })] as const,
        ),
      ),
    ),
    mode: mode ?? 'draft',
    visibility: visibility ?? 'account',
    scheduledAt: readAt(call),
  } as const;
  const outcome = await services.posts.create(viewer, {
    items: [item],
    duplicates: allowsDuplicate ? 'allow' : 'refuse',
    unusedVariants: 'refuse',
    job: 'when_shared',
    policy: 'skip_refused',
    ...keyOf(call, 'create_posts'),
    dryRun,
  });
  const toField = targetField(args);
  if (outcome.kind === 'refused')
    throw new ToolError(refusalFailure(outcome.refusals[0]!, toField));
  const failures: ToolFailure[] = [];
  const results = outcome.results.map((result): ToolAnswer => {
    const [refusal] = result.refusals;
    if (refusal) {
      const failure = refusalFailure(refusal, toField);
      failures.push(failure);
      return refusedResult({ account_id: result.accountId }, failure);
    }
    const { post, accountId, state, scheduledAt } = result;
    return {
      ...(post && { id: post.id, version: post.version }),
      account_id: accountId,
      state,
      time: presentTime(scheduledAt, viewer.workspace.timeZone),
      done: true,
    };
  });
  const { groupIds, job, replayed } = outcome;
  return answerOf(results, failures, {
    ...(!dryRun && { group_id: groupIds[0] }),
    ...(job && { job_id: job.id }),
    ...(replayed && { replayed }),
  });
}

/** The answer of a change of one post. */
function updateAnswer(
  { viewer, dryRun }: ToolCall<unknown>,
  outcome: UpdateOutcome,
  toField?: (path: readonly string[]) => string,
): ToolAnswer {
  if (outcome.kind === 'refused')
    throw new ToolError(refusalFailure(outcome.refusals[0]!, toField));
  const { post, job, replayed } = outcome;
  return {
    post: presentPost(post, viewer.workspace.timeZone),
    on_network: job !== null,
    ...(job && !dryRun && { job_id: job.id }),
    ...(replayed && { replayed }),
  };
}

interface UpdateArguments extends Content, Times, Repeatable {
  id: string;
  expected_version: number;
  allow_duplicate?: boolean | null;
}

async function updatePost(call: ToolCall<UpdateArguments>): Promise<ToolAnswer> {
  const { args, services, viewer, dryRun } = call;
  const patch = await patchOf(call, args);
  const outcome = await services.posts.update(viewer, {
    id: args.id,
    patch: { ...patch, ...(args.at !== undefined && { scheduledAt: readAt(call) }) },
    expectedVersion: args.expected_version,
    duplicates: args.allow_duplicate ? 'allow' : 'refuse',
    ...keyOf(call, 'update_post'),
    dryRun,
  });
  return updateAnswer(call, outcome);
}

interface ScheduleArguments extends Times, Confirmable {
  ids: string[];
  mode: ShareMode;
  visibility?: DraftVisibility | null;
  allow_duplicate?: boolean | null;
}
interface ReviewArguments {
  posts: { id: string; expected_version: number }[];
  decision: ReviewDecision;
  note?: string | null;
  publish_late?: boolean | null;
}
interface DeleteArguments extends Confirmable {
  ids: string[];
  on_network?: boolean | null;
}

async function deletePosts({
  args,
  services,
  viewer,
  dryRun,
  clock,
}: ToolCall<DeleteArguments>): Promise<ToolAnswer> {
  const outcome = await services.posts.delete(viewer, {
    ids: args.ids,
    policy: 'skip_refused',
    onNetwork: args.on_network ?? false,
    ...(args.idempotency_key && { idempotencyKey: args.idempotency_key }),
    dryRun,
  });
  if (outcome.kind === 'refused') throw new ToolError(refusalFailure(outcome.refusals[0]!));
  const failures: ToolFailure[] = [];
  const results = outcome.results.map(({ id, deleted, code, message }) => {
    if (code === null) return { id, done: true, deleted };
    const failure = toolFailure(code, toToolMessage(message ?? code), { postId: id });
    failures.push(failure);
    return refusedResult({ id }, failure);
  });
  const until = new Date(clock.now().getTime() + RETENTION.deletedPosts.hours * 3_600_000);
  const { job, replayed } = outcome;
  return answerOf(results, failures, {
    restorable_until: presentTime(until, viewer.workspace.timeZone),
    ...(job && { job_id: job.id }),
    ...(replayed && { replayed }),
  });
}

interface ResolveArguments {
  id: string;
  live_url?: string | null;
  not_live?: boolean | null;
}

function resolvePublication(call: ToolCall<ResolveArguments & Repeatable>): Promise<ToolAnswer> {
  const { id, live_url: url, not_live: notLive } = call.args;
  if (Boolean(url) === Boolean(notLive))
    throw new ToolError(
      toolFailure('BAD_USER_INPUT', 'Send either live_url or not_live: true, and not both.', {
        field: 'live_url',
      }),
    );
  const resolution = url
    ? ({ kind: 'live', url, remoteId: null } as const)
    : ({ kind: 'not_live' } as const);
  return act(call, { ids: [id], action: { kind: 'resolve', resolution } });
}

interface RevertArguments {
  id: string;
  to_version: number;
  expected_version: number;
}
const JOB_AND_REPLAY = { job_id: TEXT, replayed: FLAG };
const CONFIRMATION = { preview: OBJECT, confirm_token: TEXT, expires_at: OBJECT };
const ACTED = { results: RESULTS, ...JOB_AND_REPLAY };
const UPDATED = { post: OBJECT, on_network: FLAG, ...JOB_AND_REPLAY };

const ID = '66f1a2b3c4d5e6f708192a3b';

/** The tools that change posts. */
export const WRITING_TOOLS: readonly Tool[] = [
  defineTool<CreateArguments>({
    name: 'create_posts',
    title: 'Create posts',
    description:
      'Creates one post for each account: drafts unless mode says otherwise. The same call within 10 minutes answers the first result (replayed).',
    scopes: WRITES,
    hints: HINTS.writesOnNetworks,
    isPreviewed: true,
    input: {
      accounts: listReader(
        objectReader<AccountArgument>(
          { account_id: RECORD_ID, text: POST_TEXT, at: textReader(40) },
          ['account_id'],
        ),
        { minItems: 1, maxItems: MAX_TARGETS },
      ),
      ...CONTENT,
      variants: described(
        'What differs for a network.',
        listReader(
          objectReader<VariantArgument>(
            {
              network: choice(enumKeys<Network>(NETWORKS)),
              text: POST_TEXT,
              title: TITLE,
              options: { schema: OBJECT, read: jsonObject },
            },
            ['network'],
          ),
          { maxItems: 20 },
        ),
      ),
      mode: described('Default: draft.', choice(enumKeys(SHARE_MODES))),
      at: AT,
      time_zone: ZONE,
      visibility: VISIBILITY,
      allow_duplicate: ALLOW_DUPLICATE,
      idempotency_key: KEY,
      confirm_token: TOKEN,
    },
    required: ['accounts'],
    findProblems: findCreationProblems,
    output: { ...ACTED, group_id: TEXT, ...CONFIRMATION },
    question: ({ mode, accounts }) => publishQuestion(mode, accounts.length),
    example: {
      accounts: [{ account_id: 'acc_9sVb3kLw7QpD2hXe' }],
      text: 'We open at nine.',
      mode: 'schedule',
      at: '2027-03-01T09:00',
    },
    run: createPosts,
  }),
  defineTool<ScheduleArguments>({
    name: 'schedule_posts',
    title: 'Schedule or publish posts',
    description:
      'Gives posts a time (schedule), the next time of their queue (add_to_queue), publishes them (share_now) or makes them drafts.',
    scopes: WRITES,
    hints: HINTS.writesOnNetworks,
    isPreviewed: true,
    input: {
      ids: IDS,
      mode: choice(enumKeys(SHARE_MODES)),
      at: AT,
      time_zone: ZONE,
      visibility: VISIBILITY,
      allow_duplicate: ALLOW_DUPLICATE,
      idempotency_key: KEY,
      confirm_token: TOKEN,
    },
    required: ['ids', 'mode'],
    findProblems: ({ mode, at, visibility }) =>
      findScheduleProblems({
        mode,
        // Only whether there is one matters.
        scheduledAt: at ? new Date(0) : null,
        visibility: visibility ?? null,
      }),
    output: { ...ACTED, ...CONFIRMATION },
    question: ({ mode, ids }) => publishQuestion(mode, ids.length),
    example: { ids: [ID], mode: 'schedule', at: '2027-03-01T09:00', time_zone: 'Europe/Berlin' },
    run: (call) =>
      act(call, {
        ids: call.args.ids,
        action: {
          kind: 'schedule',
          mode: call.args.mode,
          scheduledAt: readAt(call),
          accountId: null,
          visibility: call.args.visibility ?? null,
          allowDuplicate: call.args.allow_duplicate ?? false,
        },
      }),
  }),
  defineTool<UpdateArguments>({
    name: 'update_post',
    title: 'Change a post',
    description:
      'Changes the fields that are sent; null clears one, lists are replaced. on_network tells whether the post also changes on its network.',
    scopes: WRITES,
    hints: HINTS.writesOnNetworks,
    isPreviewed: true,
    input: {
      id: RECORD_ID,
      expected_version: described('As get_post returned it.', POST_VERSION),
      ...CONTENT,
      at: AT,
      time_zone: ZONE,
      allow_duplicate: ALLOW_DUPLICATE,
      idempotency_key: KEY,
    },
    required: ['id', 'expected_version'],
    output: UPDATED,
    example: { id: ID, expected_version: 3, text: 'We open at ten.' },
    run: updatePost,
  }),
  defineTool<ReviewArguments>({
    name: 'review_posts',
    title: 'Request approval, approve or decline',
    description:
      'note is required to decline. publish_late also publishes posts whose time is past.',
    scopes: WRITES,
    hints: HINTS.writesOnNetworks,
    isPreviewed: true,
    input: {
      posts: listReader(
        objectReader<ReviewArguments['posts'][number]>(
          { id: RECORD_ID, expected_version: POST_VERSION },
          ['id', 'expected_version'],
        ),
        { minItems: 1, maxItems: MAX_TARGETS },
      ),
      decision: choice(enumKeys(REVIEW_DECISIONS)),
      note: textReader(REQUEST_LIMITS.reviewNote),
      publish_late: TRUE_OR_FALSE,
    },
    required: ['posts', 'decision'],
    output: ACTED,
    example: { posts: [{ id: ID, expected_version: 3 }], decision: 'approve' },
    run: (call) => {
      const { posts, decision, note, publish_late: publishLate } = call.args;
      return act(call as ToolCall<Repeatable>, {
        ids: posts.map(({ id }) => id),
        expectedVersions: posts.map(({ expected_version: version }) => version),
        action: { kind: 'review', decision, note: note ?? null, publishLate: publishLate ?? false },
      });
    },
  }),
  defineTool<{ ids: string[]; paused: boolean }>({
    name: 'pause_posts',
    title: 'Pause or resume recycling posts',
    description: 'Stops posts that repeat, or lets them go on.',
    scopes: WRITES,
    hints: HINTS.writes,
    isPreviewed: true,
    input: { ids: IDS, paused: TRUE_OR_FALSE },
    required: ['ids', 'paused'],
    output: ACTED,
    example: { ids: [ID], paused: true },
    run: (call) =>
      act(call as ToolCall<Repeatable>, {
        ids: call.args.ids,
        action: { kind: call.args.paused ? 'pause' : 'resume' },
      }),
  }),
  defineTool<DeleteArguments>({
    name: 'delete_posts',
    title: 'Delete posts',
    description:
      'Deletes posts here; with on_network also on their networks. restore_posts brings them back here, not there.',
    scopes: WRITES,
    hints: HINTS.destroys,
    isPreviewed: true,
    input: { ids: IDS, on_network: TRUE_OR_FALSE, confirm_token: TOKEN, idempotency_key: KEY },
    required: ['ids'],
    output: { ...ACTED, restorable_until: OBJECT, ...CONFIRMATION },
    question: ({ ids, on_network: onNetwork }) =>
      `Delete ${posts(ids.length)}${onNetwork ? ', also on the networks' : ''}?`,
    example: { ids: [ID] },
    run: deletePosts,
  }),
  defineTool<Confirmable & { ids: string[] }>({
    name: 'unpublish_posts',
    title: 'Remove posts from their networks',
    description: 'Removes published posts from their networks, and keeps them here.',
    scopes: WRITES,
    hints: HINTS.destroys,
    isPreviewed: true,
    input: { ids: IDS, confirm_token: TOKEN, idempotency_key: KEY },
    required: ['ids'],
    output: { ...ACTED, ...CONFIRMATION },
    question: ({ ids }) => `Remove ${posts(ids.length)} from the networks?`,
    example: { ids: [ID] },
    run: (call) => act(call, { ids: call.args.ids, action: { kind: 'unpublish' } }),
  }),
  defineTool<Repeatable & { ids: string[] }>({
    name: 'retry_posts',
    title: 'Publish failed posts again',
    description:
      'For posts whose publication failed. Use resolve_publication where it is unknown whether a post is on its network.',
    scopes: WRITES,
    hints: HINTS.writesOnNetworks,
    isPreviewed: true,
    input: { ids: IDS, idempotency_key: KEY },
    required: ['ids'],
    output: ACTED,
    example: { ids: [ID] },
    run: (call) =>
      act(call, {
        ids: call.args.ids,
        action: { kind: 'retry', confirmNotLive: false, allowDuplicate: false },
      }),
  }),
  defineTool<ResolveArguments>({
    name: 'resolve_publication',
    title: 'Tell whether a post is on its network',
    description: 'Only after a person looked: live_url if it is there, not_live if it is not.',
    scopes: WRITES,
    hints: HINTS.resolves,
    isPreviewed: true,
    input: { id: RECORD_ID, live_url: textReader(2_048), not_live: TRUE_OR_FALSE },
    required: ['id'],
    output: ACTED,
    example: { id: ID, not_live: true },
    run: (call) => resolvePublication(call as ToolCall<ResolveArguments & Repeatable>),
  }),
  defineTool<{ ids: string[] }>({
    name: 'restore_posts',
    title: 'Restore deleted posts',
    description: 'Takes back a deletion of the last 30 days.',
    scopes: WRITES,
    hints: HINTS.writes,
    isPreviewed: true,
    input: { ids: IDS },
    required: ['ids'],
    output: ACTED,
    example: { ids: [ID] },
    run: (call) =>
      act(call as ToolCall<Repeatable>, {
        ids: call.args.ids,
        action: { kind: 'restore', allowDuplicate: false },
      }),
  }),
  defineTool<RevertArguments>({
    name: 'revert_post',
    title: 'Undo changes of a post',
    description: 'Gives the fields the values of an earlier version, which get_post history lists.',
    scopes: WRITES,
    hints: HINTS.writesOnNetworks,
    isPreviewed: true,
    input: { id: RECORD_ID, to_version: POST_VERSION, expected_version: POST_VERSION },
    required: ['id', 'to_version', 'expected_version'],
    output: UPDATED,
    example: { id: ID, to_version: 2, expected_version: 4 },
    run: async (call) => {
      const { id, to_version: toVersion, expected_version: expectedVersion } = call.args;
      const { services, viewer, dryRun } = call;
      const request = { id, toVersion, expectedVersion, duplicates: 'refuse', dryRun } as const;
      return updateAnswer(call, await services.posts.revert(viewer, request));
    },
  }),
];
