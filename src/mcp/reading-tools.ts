import { setTimeout as sleep } from 'node:timers/promises';
import { actionRights } from '../domain/actions/post-actions.js';
import { capRowsOf, capUsage } from '../domain/caps/daily-caps.js';
import { enumKeys, type OrderDirection } from '../domain/enums.js';
import { GatewayError } from '../domain/errors.js';
import { NETWORKS, type Network } from '../domain/networks/networks.js';
import { isPrefixedId, readPostId, type Account, type Post } from '../domain/posts/post.js';
import type { PostFilter, PostPosition } from '../domain/posts/post-query.js';
import { STATE_FILTERS, type StateFilter } from '../domain/posts/states.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import {
  choice,
  described,
  integerReader,
  listReader,
  RECORD_ID,
  textReader,
  type BodyReader,
} from '../http/body-readers.js';
import type { JsonSchema } from '../http/json-schema.js';
import { excerpt, fitting, POST_FIELDS, presentPost } from './post-views.js';
import { defineTool, HINTS, type Tool, type ToolAnswer, type ToolCall } from './tool.js';
import { ToolError, toolFailure, toToolMessage } from './tool-errors.js';
import { presentTime, readToolTime, readZone } from './tool-times.js';

const OBJECT: JsonSchema = { type: 'object' };
const OBJECTS: JsonSchema = { type: 'array', items: OBJECT };
const TEXT: JsonSchema = { type: 'string' };
const COUNT: JsonSchema = { type: 'integer' };
const FLAG: JsonSchema = { type: 'boolean' };
const NETWORK = choice(enumKeys<Network>(NETWORKS));
const IDS = listReader(RECORD_ID, { maxItems: 100 });
const CURSOR = described('next_cursor of the page before.', textReader(400));

/** Accounts of one answer; each has three statements of its own. */
const MAX_ACCOUNTS = 50;
const DAY_MS = 86_400_000;

async function getContext({
  services,
  clock,
  authentication,
  viewer,
}: ToolCall<object>): Promise<ToolAnswer> {
  const { caller, rate } = authentication;
  const { workspace } = viewer;
  const workspaces = caller.key.scopes.includes('workspaces')
    ? await services.workspaceRecords.workspacesOf(caller.user.id)
    : [workspace];
  return {
    viewer: { id: caller.user.id, name: caller.user.name, role: viewer.role },
    workspace: {
      id: workspace.id,
      name: workspace.name,
      requires_approval: workspace.requiresApproval,
      locked: workspace.locked,
    },
    workspaces: fitting(workspaces.map(({ id, name }) => ({ id, name }))),
    time_zone: workspace.timeZone,
    now: presentTime(clock.now(), workspace.timeZone),
    scopes: caller.key.scopes,
    limits: {
      left: rate.remaining,
      limit: rate.limit,
      reset_at: presentTime(rate.resetAt, workspace.timeZone),
    },
  };
}

async function presentAccounts(
  { services, viewer, clock }: ToolCall<unknown>,
  accounts: readonly Account[],
): Promise<ToolAnswer[]> {
  const now = clock.now().getTime();
  const { timeZone, plan } = viewer.workspace;
  const since = new Date(now - DAY_MS);
  const ids = accounts.map(({ id }) => id);
  const slots = await services.workspaceRecords.capSlots(ids, since);
  return Promise.all(
    accounts.map(async (account) => {
      const { id, name, network, type, needsReauth, sandbox } = account;
      const { publishes, guarantee } = services.adapters[network];
      const times = await services.postingSchedules.nextFree(viewer, account, 3);
      const left = capRowsOf(network, type).map(({ postKind, limits }) => {
        const used = slots
          .filter((slot) => slot.accountId === id && slot.postKind === postKind)
          .map(({ at }) => at.getTime());
        return [postKind, capUsage(limits[plan], used, now).remaining] as const;
      });
      return {
        id,
        name,
        network,
        publishes: sandbox || publishes,
        sandbox,
        needs_reauthorization: needsReauth,
        left_today: Object.fromEntries(left),
        next_slots: times.map((at) => presentTime(at, timeZone)),
        guarantee: sandbox ? 'exact' : guarantee,
      };
    }),
  );
}

interface AccountsArguments {
  networks?: Network[] | null;
}
async function listAccounts(call: ToolCall<AccountsArguments>): Promise<ToolAnswer> {
  const { services, viewer, args } = call;
  const found = await services.workspaceRecords.accounts(
    viewer.workspace.id,
    args.networks?.length ? args.networks : null,
    MAX_ACCOUNTS + 1,
    0,
  );
  const shown = fitting(await presentAccounts(call, found.slice(0, MAX_ACCOUNTS)));
  return {
    accounts: shown,
    ...(shown.length < found.length && {
      more: true,
      note: 'There are more accounts. Send networks to see those of some networks.',
    }),
  };
}

interface SearchArguments {
  query?: string | null;
  states?: StateFilter[] | null;
  account_ids?: string[] | null;
  networks?: Network[] | null;
  label_ids?: string[] | null;
  group_id?: string | null;
  from?: string | null;
  to?: string | null;
  time_zone?: string | null;
  order?: OrderDirection | null;
  limit?: number | null;
  cursor?: string | null;
}
const SEARCH_LIMIT = { max: 50, default: 20 } as const;

const writeCursor = (direction: OrderDirection, { at, id }: PostPosition<Date | null>): string =>
  Buffer.from(JSON.stringify([direction, at?.getTime() ?? null, id])).toString('base64url');

const invalidCursor = (): ToolError =>
  new ToolError(
    toolFailure('BAD_USER_INPUT', 'cursor must be next_cursor of a call with the same order.', {
      field: 'cursor',
    }),
  );

function readCursor(direction: OrderDirection, cursor: string): PostPosition {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw invalidCursor();
  }
  const [order, at, id] = (Array.isArray(parts) ? parts : []) as [unknown, unknown, unknown];
  const isTime = at === null || (Number.isInteger(at) && Math.abs(at as number) < 8.64e15);
  const isId = Number.isInteger(id) && readPostId(String(id))?.kind === 'database';
  if (order !== direction || !isTime || !isId) throw invalidCursor();
  return { at: at === null ? null : new Date(at as number), id: id as number };
}

async function searchPosts({ services, viewer, args }: ToolCall<SearchArguments>) {
  const { timeZone } = viewer.workspace;
  const zone = readZone(args.time_zone, timeZone);
  const direction = args.order ?? 'desc';
  const limit = args.limit ?? SEARCH_LIMIT.default;
  const filter: PostFilter = {
    ...(args.query && { query: args.query }),
    ...(args.states?.length && { states: args.states }),
    ...(args.account_ids?.length && { accountIds: args.account_ids }),
    ...(args.networks?.length && { networks: args.networks }),
    ...(args.label_ids?.length && { labelIds: args.label_ids }),
    ...(args.group_id && { groupIds: [args.group_id] }),
    ...(args.from && { from: readToolTime(args.from, zone, 'from') }),
    ...(args.to && { to: readToolTime(args.to, zone, 'to') }),
  };
  const page = await services.visiblePosts.list(
    viewer,
    {
      filter,
      order: { field: 'scheduled_at', direction },
      slice: {
        kind: 'window',
        limit,
        fromEnd: false,
        ...(args.cursor && { after: readCursor(direction, args.cursor) }),
      },
    },
    { fields: POST_FIELDS, totalCount: true, facets: false, items: true },
  );
  const posts = fitting(page.posts.map((post) => presentPost(post, zone)));
  const last = page.posts[posts.length - 1];
  const hasMore = page.hasNextPage || posts.length < page.posts.length;
  return {
    posts,
    total: page.totalCount ?? 0,
    ...(hasMore &&
      last && {
        next_cursor: writeCursor(direction, { at: last.scheduledAt ?? null, id: last.databaseId }),
      }),
  };
}

const PARTS = [
  'text',
  'media',
  'labels',
  'analytics',
  'history',
  'publication',
  'options',
  'actions',
] as const;
type Part = (typeof PARTS)[number];
/** Code points of the text of one post. */
const FULL_TEXT = 8_000;
const HISTORY_ENTRIES = 15;
/** Characters that a list in the answer about one post may take. */
const PART_BUDGET = 3_000;

/** What `include` adds to a post. */
const PRESENT_PART: Readonly<Record<Part, (post: Post, call: ToolCall<unknown>) => unknown>> = {
  text: ({ text }) => excerpt(text, FULL_TEXT).text,
  media: ({ media }) =>
    fitting(
      media.map(({ id, type, url, altText }) => ({
        media_id: id,
        type,
        url,
        alt_text: altText && excerpt(altText).text,
      })),
      PART_BUDGET,
    ),
  labels: ({ labels }) =>
    fitting(
      labels.map(({ id, name }) => ({ id, name })),
      PART_BUDGET,
    ),
  analytics: ({ analytics }) => analytics,
  publication: ({ publicationRecord: record, publicationHold: hold }) => ({
    result: record?.result ?? null,
    attempts: record?.attempts ?? 0,
    hold,
    error: record?.error ?? null,
  }),
  options: ({ networkOptions }) => networkOptions,
  actions: (post, { viewer }) =>
    actionRights(post, viewer).map(({ action, allowed, reason }) => ({
      action,
      allowed,
      ...(!allowed && reason && { reason: toToolMessage(reason) }),
    })),
  history: async ({ databaseId }, { services, viewer }) => {
    const window = { limit: HISTORY_ENTRIES };
    const pages = await services.history.pages(viewer, [databaseId], window);
    const { timeZone } = viewer.workspace;
    const entries = (pages.get(databaseId)?.entries ?? []).map(
      ({ version, type, at, user, api, note, changes }) => ({
        version,
        type,
        at: presentTime(at, timeZone),
        user: user?.name ?? null,
        api,
        ...(note && { note: excerpt(note).text }),
        fields: changes.map(({ field }) => field),
      }),
    );
    return fitting(entries, PART_BUDGET);
  },
};

interface GetPostArguments {
  id: string;
  include?: Part[] | null;
}

/** One post with the parts that were asked for. */
export async function getPost(call: ToolCall<GetPostArguments>): Promise<ToolAnswer> {
  const { services, viewer, args } = call;
  const { databaseId } = await services.posts.get(viewer, args.id, new Set());
  const post = (await services.visiblePosts.byDatabaseId(viewer, [databaseId])).get(databaseId);
  if (!post) throw new GatewayError('POST_NOT_FOUND');
  const parts = await Promise.all(
    (args.include ?? []).map(async (part) => [part, await PRESENT_PART[part](post, call)] as const),
  );
  const shown = presentPost(post, viewer.workspace.timeZone);
  const { text_truncated: isCut, ...rest } = shown;
  const hasText = args.include?.includes('text') ?? false;
  const isTruncated = hasText ? excerpt(post.text, FULL_TEXT).text_truncated : isCut;
  return {
    post: {
      ...rest,
      ...Object.fromEntries(parts),
      ...(isTruncated && { text_truncated: true }),
      ...(post.review && {
        declined: { by: post.review.by, note: post.review.note && excerpt(post.review.note).text },
      }),
    },
  };
}

/** The rules of a network. */
export function rulesOf(network: Network, services: ToolCall<unknown>['services']): ToolAnswer {
  const {
    name,
    description,
    postTypes,
    publishing,
    files = {},
    edits,
  } = NETWORKS[network] as (typeof NETWORKS)[Network] & {
    readonly files?: unknown;
  };
  const { limits, note, guarantee } = services.adapters[network];
  return {
    network,
    name,
    description,
    post_types: postTypes,
    publishes: publishing.publishes,
    published_types: publishing.postTypes,
    media_types: publishing.mediaTypes,
    guarantee,
    note,
    limits,
    files,
    caps: Object.fromEntries(
      NETWORKS[network].accountTypes.flatMap((type) =>
        capRowsOf(network, type).map(({ postKind, limits: perDay }) => [postKind, perDay]),
      ),
    ),
    editable_when_published: edits.map(({ field, maxLength }) => ({
      field,
      max_length: maxLength,
    })),
  };
}

interface JobArguments {
  id: string;
  wait_ms?: number | null;
}
/** A call that waits has a place that other requests need. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 500;

async function getJob({ services, viewer, args }: ToolCall<JobArguments>): Promise<ToolAnswer> {
  const find = async () => {
    const job = isPrefixedId('job', args.id)
      ? await services.jobs.find(viewer.workspace.id, args.id)
      : null;
    if (!job) throw new GatewayError('JOB_NOT_FOUND');
    return job;
  };
  const deadline = performance.now() + (args.wait_ms ?? 0);
  let job = await find();
  while (job.status === 'working' && performance.now() < deadline) {
    await sleep(POLL_MS);
    job = await find();
  }
  const { failures, posts = [], warnings = [] } = await services.jobPayloads(viewer, job);
  return {
    job: {
      id: job.id,
      kind: job.kind,
      status: job.status,
      posts: fitting(posts, PART_BUDGET),
      failures: fitting(
        Object.entries(failures).map(([id, [message = '']]) => ({
          id,
          message: excerpt(toToolMessage(message)).text,
        })),
        PART_BUDGET,
      ),
      warnings: fitting(warnings.map(toToolMessage), PART_BUDGET),
    },
  };
}

interface ChangesArguments {
  cursor?: string | null;
  limit?: number | null;
}
const CHANGES_LIMIT = 50;

/** Fewer changes are read until they fit: a page cannot be cut without losing its cursor. */
async function getChanges(call: ToolCall<ChangesArguments>): Promise<ToolAnswer> {
  const { services, viewer, args } = call;
  const { timeZone } = viewer.workspace;
  for (let limit = args.limit ?? CHANGES_LIMIT; ; limit = Math.floor(limit / 2)) {
    const page = await services.changes.list(viewer, {
      after: args.cursor ?? null,
      first: limit,
      fields: POST_FIELDS,
    });
    const changes = page.changes.map(({ kind, postId, version, at, post }) => ({
      kind,
      id: postId,
      version,
      at: presentTime(at, timeZone),
      ...(post && { post: presentPost(post, timeZone) }),
    }));
    if (limit === 1 || fitting(changes).length === changes.length)
      return { changes, next_cursor: page.nextCursor, has_more: page.hasMore };
  }
}

const TIME = textReader(40);
const STATES: BodyReader<StateFilter> = choice(enumKeys<StateFilter>(STATE_FILTERS));
const ID = '66f1a2b3c4d5e6f708192a3b';

/** The tools that change nothing. */
export const READING_TOOLS: readonly Tool[] = [
  defineTool<object>({
    name: 'get_context',
    title: 'Start here',
    description:
      'Who you act for: workspaces, role, time zone, the time now, and what is left of the rate limit.',
    scopes: [],
    hints: HINTS.reads,
    input: {},
    output: {
      viewer: OBJECT,
      workspace: OBJECT,
      workspaces: OBJECTS,
      time_zone: TEXT,
      now: OBJECT,
      scopes: { type: 'array', items: TEXT },
      limits: OBJECT,
    },
    example: {},
    run: getContext,
  }),
  defineTool<AccountsArguments>({
    name: 'list_accounts',
    title: 'List accounts',
    description:
      'The social accounts: ids for create_posts, posts left today, next times of their queues.',
    scopes: [['accounts']],
    hints: HINTS.reads,
    input: { networks: listReader(NETWORK, { maxItems: 20 }) },
    output: { accounts: OBJECTS, more: FLAG, note: TEXT },
    example: {},
    run: listAccounts,
  }),
  defineTool<SearchArguments>({
    name: 'search_posts',
    title: 'Find posts',
    description: 'Posts by words, state, account, label and time. Texts are cut at 280 characters.',
    hints: HINTS.reads,
    input: {
      query: textReader(REQUEST_LIMITS.query),
      states: listReader(STATES, { maxItems: 30 }),
      account_ids: IDS,
      networks: listReader(NETWORK, { maxItems: 20 }),
      label_ids: IDS,
      group_id: RECORD_ID,
      from: TIME,
      to: TIME,
      time_zone: textReader(60),
      order: described('By time. Default: desc.', choice<OrderDirection>(['asc', 'desc'])),
      limit: described('Default: 20.', integerReader(1, SEARCH_LIMIT.max)),
      cursor: CURSOR,
    },
    output: { posts: OBJECTS, total: COUNT, next_cursor: TEXT },
    example: { states: ['failed'], limit: 5 },
    run: searchPosts,
  }),
  defineTool<GetPostArguments>({
    name: 'get_post',
    title: 'Read a post',
    description:
      'A post with its version. include: text is the full text, actions what may be done now.',
    hints: HINTS.reads,
    input: { id: RECORD_ID, include: listReader(choice<Part>(PARTS), { maxItems: PARTS.length }) },
    required: ['id'],
    output: { post: OBJECT },
    example: { id: ID, include: ['text', 'actions'] },
    run: getPost,
  }),
  defineTool<{ network: Network }>({
    name: 'get_rules',
    title: 'Rules of a network',
    description: 'Limits of texts and media, posts a day, and what can be changed afterwards.',
    scopes: [],
    needsWorkspace: false,
    hints: HINTS.reads,
    input: { network: NETWORK },
    required: ['network'],
    output: {
      network: TEXT,
      limits: OBJECTS,
      caps: OBJECT,
      files: OBJECT,
      editable_when_published: OBJECTS,
    },
    example: { network: 'mastodon' },
    run: ({ services, args }) => Promise.resolve(rulesOf(args.network, services)),
  }),
  defineTool<JobArguments>({
    name: 'get_job',
    title: 'Read a job',
    description: 'Whether a job is working, completed or failed. wait_ms waits for its end.',
    hints: HINTS.reads,
    input: { id: RECORD_ID, wait_ms: integerReader(0, MAX_WAIT_MS) },
    required: ['id'],
    output: { job: OBJECT },
    example: { id: 'job_5kTq8wEr2yUi4oPa', wait_ms: 5_000 },
    run: getJob,
  }),
  defineTool<ChangesArguments>({
    name: 'get_changes',
    title: 'What changed',
    description:
      'Changed and deleted posts since a cursor. Without a cursor, only the next_cursor of now.',
    hints: HINTS.reads,
    input: {
      cursor: textReader(400),
      limit: described('Default: 50.', integerReader(1, REQUEST_LIMITS.changes)),
    },
    output: { changes: OBJECTS, next_cursor: TEXT, has_more: FLAG },
    example: {},
    run: getChanges,
  }),
];
