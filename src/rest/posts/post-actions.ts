import { assertReadsDryRun, type Viewer } from '../../domain/access/viewer.js';
import { REVIEW_DECISIONS, type ReviewDecision } from '../../domain/actions/post-actions.js';
import {
  BATCH_POLICIES,
  DRAFT_VISIBILITIES,
  SHARE_MODES,
  type BatchPolicy,
  type DraftVisibility,
  type ShareMode,
} from '../../domain/creation/creation-modes.js';
import { enumKeys } from '../../domain/enums.js';
import { ERRORS, type ErrorCode, type Problem } from '../../domain/errors.js';
import { oneOf } from '../../domain/input/readers.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { PATCH_FIELDS, type PatchField } from '../../domain/posts/post-fields.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import type { JsonResponse } from '../../http/responses.js';
import type { RevertRequest } from '../../services/history/revert-post.js';
import {
  findResolutionProblems,
  findScheduleProblems,
  toResolution,
  type ActionInput,
  type ActionOutcome,
  type ActionRequest,
} from '../../services/posts/actions/action-request.js';
import {
  choice,
  described,
  listReader,
  objectReader,
  POST_VERSION,
  readBody,
  RECORD_ID,
  textReader,
  TIME,
  TRUE_OR_FALSE,
  type BodyReader,
} from '../../http/body-readers.js';
import { presentRefusals } from '../errors.js';
import type { FieldMapping } from '../field-mapping.js';
import { DRY_RUN, IDEMPOTENCY_KEY, REPLAYED, withChangeHeaders } from '../headers.js';
import {
  arrayOf,
  BOOLEAN,
  enumOf,
  nullable,
  objectOf,
  ref,
  TEXT,
  withDescription,
  type JsonSchema,
} from '../../http/json-schema.js';
import { FLAG, singleParam, type QueryParams } from '../query-params.js';
import {
  inWorkspace,
  readChange,
  type RestRequest,
  type Route,
  type RouteDependencies,
} from '../route.js';
import { presentDetail, withSeriesChange } from './post-bodies.js';

const ACTION_PARAMS = {
  dry_run: singleParam(
    FLAG,
    'Checks all rules and returns the response that the request would have, without changing anything.',
    true,
  ),
} satisfies QueryParams;

const POLICY = described(
  'How to proceed if the action cannot be performed on some of the posts. Default: `skip_refused`.',
  choice(enumKeys(BATCH_POLICIES)),
);

/** What the bodies of all actions on several posts have. */
interface SentPosts {
  post_ids: string[];
  policy?: BatchPolicy | null;
}
const POSTS = {
  post_ids: described(
    'Posts, each as document ID or database ID. Two IDs of the same post count once.',
    listReader(RECORD_ID, { minItems: 1, maxItems: REQUEST_LIMITS.postsOfAction }),
  ),
  policy: POLICY,
};
const ALLOW_DUPLICATE = described(
  'Whether to allow a post with the same account and content as another post within 24 hours. Default: false.',
  TRUE_OR_FALSE,
);
/** What an action needs, without the options that every change has. */
type Sent = Pick<ActionRequest, 'ids' | 'action' | 'policy' | 'expectedVersions'>;

/** An action: its body, and what the body asks for. */
interface Action {
  readonly schema: JsonSchema;
  /** `id`: the one in the path, if there is one. */
  read(
    body: unknown,
    id: string,
  ): { readonly sent: Sent } | { readonly problems: readonly Problem[] };
}

function action<Body extends object>(
  reader: BodyReader<Body>,
  toSent: (body: Body, id: string) => Sent,
  findProblems: (body: Body) => readonly Problem[] = () => [],
): Action {
  return {
    schema: reader.schema,
    read(body, id) {
      const { value, problems } = readBody(reader, body);
      const all = value ? findProblems(value) : problems;
      return value && all.length === 0 ? { sent: toSent(value, id) } : { problems: all };
    },
  };
}

/** An action on several posts, whose body has nothing else. */
const plain = (input: ActionInput): Action =>
  action(objectReader<SentPosts>(POSTS, ['post_ids']), ({ post_ids: ids, policy }) => ({
    ids,
    policy: policy ?? 'skip_refused',
    action: input,
  }));

interface ScheduleBody extends SentPosts {
  mode: ShareMode;
  scheduled_at?: Date | null;
  account_id?: string | null;
  visibility?: DraftVisibility | null;
  allow_duplicate?: boolean | null;
}
const toScheduleInput = (body: ScheduleBody) =>
  ({
    kind: 'schedule',
    mode: body.mode,
    scheduledAt: body.scheduled_at ?? null,
    accountId: body.account_id ?? null,
    visibility: body.visibility ?? null,
    allowDuplicate: body.allow_duplicate ?? false,
  }) as const;

const SCHEDULE = action(
  objectReader<ScheduleBody>(
    {
      ...POSTS,
      mode: described('What becomes of the posts.', choice(enumKeys(SHARE_MODES))),
      scheduled_at: described(
        'Publication time, at least one minute in the future; in mode `draft`, the time of the draft. Default: the time that the post has.',
        TIME,
      ),
      account_id: described('Account for drafts. They keep theirs if it is omitted.', RECORD_ID),
      visibility: described(
        'Who can see the drafts, in mode `draft`. Default: drafts keep their visibility, other posts get `account`.',
        choice(enumKeys(DRAFT_VISIBILITIES)),
      ),
      allow_duplicate: ALLOW_DUPLICATE,
    },
    ['post_ids', 'mode'],
  ),
  (body) => ({
    ids: body.post_ids,
    policy: body.policy ?? 'skip_refused',
    action: toScheduleInput(body),
  }),
  (body) => findScheduleProblems(toScheduleInput(body)),
);

interface ReviewBody {
  posts: { id: string; expected_version?: number | null }[];
  decision: ReviewDecision;
  note?: string | null;
  publish_late?: boolean | null;
  policy?: BatchPolicy | null;
}
const REVIEW = action(
  objectReader<ReviewBody>(
    {
      posts: described(
        'Posts. A decision about a series also applies to its future occurrences.',
        listReader(
          objectReader<ReviewBody['posts'][number]>(
            {
              id: RECORD_ID,
              expected_version: described(
                'Version of the post that the decision is based on, required to approve. It is the number at the start of the ETag.',
                POST_VERSION,
              ),
            },
            ['id'],
          ),
          { minItems: 1, maxItems: REQUEST_LIMITS.postsOfAction },
        ),
      ),
      decision: described('Decision about all posts.', choice(enumKeys(REVIEW_DECISIONS))),
      note: described(
        'Reason, kept in the history of the posts. Required to decline.',
        textReader(REQUEST_LIMITS.reviewNote),
      ),
      publish_late: described(
        'Whether posts whose time has passed are published when they are approved. Default: false.',
        TRUE_OR_FALSE,
      ),
      policy: POLICY,
    },
    ['posts', 'decision'],
  ),
  ({ posts, decision, note, publish_late: publishLate, policy }) => ({
    ids: posts.map(({ id }) => id),
    expectedVersions: posts.map(({ expected_version: version }) => version ?? null),
    policy: policy ?? 'skip_refused',
    action: { kind: 'review', decision, note: note ?? null, publishLate: publishLate ?? false },
  }),
);

interface RetryBody extends SentPosts {
  confirm_not_live?: boolean | null;
  allow_duplicate?: boolean | null;
}
const RETRY = action(
  objectReader<RetryBody>(
    {
      ...POSTS,
      confirm_not_live: described(
        'Whether you have checked that the posts are not on their networks. Required for posts whose publication is unconfirmed. Default: false.',
        TRUE_OR_FALSE,
      ),
      allow_duplicate: ALLOW_DUPLICATE,
    },
    ['post_ids'],
  ),
  ({
    post_ids: ids,
    policy,
    confirm_not_live: confirmNotLive,
    allow_duplicate: allowDuplicate,
  }) => ({
    ids,
    policy: policy ?? 'skip_refused',
    action: {
      kind: 'retry',
      confirmNotLive: confirmNotLive ?? false,
      allowDuplicate: allowDuplicate ?? false,
    },
  }),
);

interface RestoreBody extends SentPosts {
  allow_duplicate?: boolean | null;
}
const RESTORE = action(
  objectReader<RestoreBody>({ ...POSTS, allow_duplicate: ALLOW_DUPLICATE }, ['post_ids']),
  ({ post_ids: ids, policy, allow_duplicate: allowDuplicate }) => ({
    ids,
    policy: policy ?? 'skip_refused',
    action: { kind: 'restore', allowDuplicate: allowDuplicate ?? false },
  }),
);

interface ResolveBody {
  url?: string | null;
  remote_id?: string | null;
  not_live?: boolean | null;
}
const toSentResolution = ({ url, remote_id: remoteId, not_live: notLive }: ResolveBody) => ({
  url: url ?? null,
  remoteId: remoteId ?? null,
  notLive: notLive ?? false,
});
/** The post is in the path. */
const RESOLVE = action(
  objectReader<ResolveBody>({
    url: described('HTTPS URL of the post, if it is on its network.', textReader(2_048)),
    remote_id: described(
      'ID of the post on its network, so that the gateway can edit it there. Only with `url`.',
      textReader(512),
    ),
    not_live: described('Set to true if the post is not on its network.', TRUE_OR_FALSE),
  }),
  (body, id) => ({
    ids: [id],
    policy: 'skip_refused',
    action: { kind: 'resolve', resolution: toResolution(toSentResolution(body)) },
  }),
  (body) => findResolutionProblems(toSentResolution(body)),
);

interface RevertBody {
  to_version: number;
  expected_version?: number | null;
  fields?: PatchField[] | null;
  allow_duplicate?: boolean | null;
}
const FIELDS_BY_NAME: ReadonlyMap<string, PatchField> = new Map(
  PATCH_FIELDS.map((field) => [toSnakeCase(field), field]),
);
const FIELD_NAMES = [...FIELDS_BY_NAME.keys()];
const readFieldName = oneOf(FIELD_NAMES);
const FIELD: BodyReader<PatchField> = {
  schema: enumOf(FIELD_NAMES),
  read(value, path, problems) {
    const name = readFieldName(value, path, problems);
    return name === undefined ? undefined : FIELDS_BY_NAME.get(name);
  },
};
const REVERT = objectReader<RevertBody>(
  {
    to_version: described(
      'Version whose values are restored. The history of the post lists the versions.',
      POST_VERSION,
    ),
    expected_version: described(
      'Version of the post that the change is based on. If the post has another version, the response is 412.',
      POST_VERSION,
    ),
    fields: described(
      'Fields that get their earlier values. Default: all that were changed since.',
      listReader(FIELD, { maxItems: FIELD_NAMES.length }),
    ),
    allow_duplicate: ALLOW_DUPLICATE,
  },
  ['to_version'],
);

const COPY = objectReader<{ visibility?: DraftVisibility | null }>({
  visibility: described(
    'Who can see the draft. Default: a copy of a draft has its visibility, other copies get `account`.',
    choice(enumKeys(DRAFT_VISIBILITIES)),
  ),
});

const JOB_ID = withDescription(
  'Job that publishes or removes the posts. Null if none is needed, and in a dry run.',
  nullable({ ...TEXT, pattern: '^job_' }),
);
/** Schemas of the bodies of actions, and of their responses, by component name. */
export const ACTION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PostIds: plain({ kind: 'pause' }).schema,
  ScheduleAction: SCHEDULE.schema,
  ReviewAction: REVIEW.schema,
  RetryAction: RETRY.schema,
  RestoreAction: RESTORE.schema,
  ResolvePublication: RESOLVE.schema,
  RevertPost: REVERT.schema,
  CopyPost: COPY.schema,
  CopiedPost: objectOf({
    id: withDescription('ID of the draft. Null in a dry run.', nullable(TEXT)),
    state: withDescription('State of the draft.', TEXT),
  }),
  ActionResults: objectOf({
    results: withDescription(
      'One for each distinct post, in the order sent.',
      arrayOf(
        objectOf({
          id: withDescription('As sent.', TEXT),
          done: withDescription(
            'Whether the action was performed, or would be (dry run). Also true if the post was already in the resulting state.',
            BOOLEAN,
          ),
          code: withDescription(
            'Error code. Null if the action was performed.',
            nullable(enumOf(enumKeys(ERRORS))),
          ),
          message: withDescription(
            'Reason why the action was not performed. Null if it was.',
            nullable(TEXT),
          ),
          post: withDescription(
            'Post after the action, or as it would be (dry run). Null if the action was not performed.',
            nullable(ref('PostDetail')),
          ),
        }),
      ),
    ),
    job_id: JOB_ID,
  }),
};

/** If every post is refused, the response is the error of the first. */
function presentAction(outcome: ActionOutcome, { toV1Message }: FieldMapping): JsonResponse {
  if (outcome.kind === 'refused') return presentRefusals(outcome.refusals, toV1Message);
  const { results, job } = outcome;
  if (results.every(({ refusals }) => refusals.length > 0))
    return presentRefusals(
      results.flatMap(({ id, refusals }) =>
        refusals.map((refusal) => ({ ...refusal, message: `${id}: ${refusal.message}` })),
      ),
      toV1Message,
    );
  return {
    status: job ? 202 : 200,
    body: {
      results: results.map(({ id, post, series, refusals: [refusal] }) => ({
        id,
        done: !refusal,
        code: refusal?.code ?? null,
        message: refusal ? toV1Message(refusal.message) : null,
        post: post && withSeriesChange(presentDetail(post, { analytics: false }), series),
      })),
      job_id: job?.id ?? null,
    },
  };
}

const CHANGE = {
  method: 'POST',
  tag: 'Posts',
  scopes: [['posts:write']],
  params: ACTION_PARAMS,
  requestHeaders: [IDEMPOTENCY_KEY],
  responseHeaders: [DRY_RUN, REPLAYED],
} as const;
const ERROR_CODES: readonly ErrorCode[] = [
  'FORBIDDEN',
  'POST_NOT_FOUND',
  'CONFLICT',
  'RULE_VIOLATION',
  'APPROVAL_REQUIRED',
  'DUPLICATE_CONTENT',
  'NO_FREE_SLOT',
  'DAILY_LIMIT_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_MISMATCH',
  'IDEMPOTENCY_IN_FLIGHT',
  'PUBLISHING',
];

/** The problems of a body, with the paths and words of v1. */
const toV1Problems = (
  problems: readonly Problem[],
  { toV1Message }: FieldMapping,
): readonly Problem[] =>
  problems.map(({ path, message }) => ({
    path: path.map((step) => (typeof step === 'string' ? toSnakeCase(step) : step)),
    message: toV1Message(message),
  }));

/** Reads the body of an action, performs it, and presents what became of each post. */
async function act(
  viewer: Viewer,
  request: RestRequest,
  { services, fieldMapping }: RouteDependencies,
  { read }: Action,
): Promise<JsonResponse> {
  const body = read(request.body, request.id);
  const problems = 'problems' in body ? toV1Problems(body.problems, fieldMapping) : [];
  const { idempotencyKey, dryRun } = readChange(ACTION_PARAMS, request, problems);
  assertReadsDryRun(request.caller, dryRun);
  const { sent } = body as Extract<typeof body, { sent: Sent }>; // its problems were thrown
  const outcome = await services.posts.act(viewer, {
    ...sent,
    dryRun,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  const { replayed } = outcome;
  return withChangeHeaders(presentAction(outcome, fieldMapping), { dryRun, replayed });
}

interface ActionRoute {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestSchema?: string;
  readonly action: Action;
}

const actionRoute = ({
  name,
  action: performed,
  requestSchema = 'PostIds',
  ...definition
}: ActionRoute): Route =>
  inWorkspace(
    {
      ...CHANGE,
      ...definition,
      path: `/v1/posts/actions/${name}`,
      requestSchema,
      acceptedSchema: 'ActionResults',
      responseSchema: 'ActionResults',
      errorCodes: ERROR_CODES,
    },
    (viewer, request, dependencies) => act(viewer, request, dependencies, performed),
  );

/** What members do with posts, apart from changing their content (D48, D54, D62, D64, D71). */
export const ACTION_ROUTES: readonly Route[] = [
  actionRoute({
    name: 'schedule',
    operationId: 'scheduleExistingPosts',
    summary: 'Schedule existing posts',
    description:
      'Schedules drafts, declined posts and failed posts, adds them to the queue, publishes them immediately, or makes them drafts. Can also give scheduled posts another time. If the workspace requires approval and the member cannot approve posts, the posts become pending.',
    requestSchema: 'ScheduleAction',
    action: SCHEDULE,
  }),
  actionRoute({
    name: 'review',
    operationId: 'reviewPosts',
    summary: 'Review posts',
    description:
      'Requests approval for posts, approves them or declines them. Only owners and admins can approve and decline.',
    requestSchema: 'ReviewAction',
    action: REVIEW,
  }),
  actionRoute({
    name: 'retry',
    operationId: 'retryPosts',
    summary: 'Retry publication',
    description:
      'Publishes posts whose publication failed, was missed or is unconfirmed. Their scheduled time becomes the current time, and they count toward the daily caps.',
    requestSchema: 'RetryAction',
    action: RETRY,
  }),
  actionRoute({
    name: 'pause',
    operationId: 'pausePosts',
    summary: 'Pause recycling posts',
    description: 'Recycling posts are not published again until they are resumed.',
    action: plain({ kind: 'pause' }),
  }),
  actionRoute({
    name: 'resume',
    operationId: 'resumePosts',
    summary: 'Resume recycling posts',
    description: 'Resumes paused recycling posts, at their next date in the future.',
    action: plain({ kind: 'resume' }),
  }),
  actionRoute({
    name: 'unpublish',
    operationId: 'unpublishPosts',
    summary: 'Remove posts from their networks',
    description:
      'Removes published posts from their social networks. A job calls the networks; `done` means that it removes the post, or that the post is no longer on its network. The gateway keeps its record.',
    action: plain({ kind: 'unpublish' }),
  }),
  actionRoute({
    name: 'restore',
    operationId: 'restorePosts',
    summary: 'Restore deleted posts',
    description:
      'Restores posts that were deleted within the last 30 days. A scheduled or recycling post whose time has passed becomes an undated draft. A series is restored with its future occurrences.',
    requestSchema: 'RestoreAction',
    action: RESTORE,
  }),
];

/** Records whether a post is on its network (D54). */
const RESOLVE_PUBLICATION = inWorkspace(
  {
    ...CHANGE,
    path: '/v1/posts/{id}/resolve',
    operationId: 'resolvePublication',
    summary: 'Resolve a publication',
    description:
      'Records whether a post is on its network, if its publication is unconfirmed or its reminder is due. Send either `url` or `not_live: true`.',
    requestSchema: 'ResolvePublication',
    responseSchema: 'ActionResults',
    errorCodes: ERROR_CODES,
  },
  (viewer, request, dependencies) => act(viewer, request, dependencies, RESOLVE),
);

/** Updates a post with the values of an earlier version (D71). */
const REVERT_POST = inWorkspace(
  {
    ...CHANGE,
    path: '/v1/posts/{id}/revert',
    operationId: 'revertPost',
    summary: 'Revert post',
    description:
      'Updates a post with the values of an earlier version. All rules for updates apply. If one value is rejected, nothing is changed, and the error names the fields that can go back without it. The state of the post is not restored.',
    requestSchema: 'RevertPost',
    responseSchema: 'PostDetail',
    errorCodes: ERROR_CODES,
  },
  async (viewer, request, { services, fieldMapping }) => {
    const { value, problems } = readBody(REVERT, request.body);
    const { idempotencyKey, dryRun } = readChange(ACTION_PARAMS, request, problems);
    assertReadsDryRun(request.caller, dryRun);
    const {
      to_version: toVersion,
      expected_version: expectedVersion,
      allow_duplicate: allowDuplicate,
      fields,
    } = value!;
    const revert: RevertRequest = {
      id: request.id,
      toVersion,
      duplicates: allowDuplicate ? 'allow' : 'refuse',
      dryRun,
      ...(fields != null && { fields }),
      ...(expectedVersion != null && { expectedVersion }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    const outcome = await services.posts.revert(viewer, revert);
    const response =
      outcome.kind === 'refused'
        ? presentRefusals(outcome.refusals, fieldMapping.toV1Message)
        : {
            status: 200,
            headers: outcome.job ? { 'X-Job-Id': outcome.job.id } : {},
            body: withSeriesChange(
              presentDetail(outcome.post, { analytics: false }),
              outcome.series,
            ),
          };
    return withChangeHeaders(response, { dryRun, replayed: outcome.replayed });
  },
);

/** Creates a draft with the content of a post (D47). */
const COPY_POST = inWorkspace(
  {
    ...CHANGE,
    path: '/v1/posts/{id}/copy',
    operationId: 'copyPost',
    summary: 'Copy post',
    description:
      'Creates an undated draft with the content, the labels and the account of a post. Its time, recurrence and recycling are not copied.',
    scopes: [['posts:read', 'posts:write']],
    requestSchema: 'CopyPost',
    responseSchema: 'CopiedPost',
    errorCodes: ERROR_CODES,
  },
  async (viewer, request, { services, fieldMapping }) => {
    const { value, problems } = readBody(COPY, request.body);
    const { idempotencyKey, dryRun } = readChange(ACTION_PARAMS, request, problems);
    const outcome = await services.posts.copy(viewer, {
      id: request.id,
      visibility: value!.visibility ?? undefined,
      idempotencyKey,
      dryRun,
    });
    const response =
      outcome.kind === 'refused'
        ? presentRefusals(outcome.refusals, fieldMapping.toV1Message)
        : { status: 200, body: { id: outcome.post?.id ?? null, state: outcome.state } };
    return withChangeHeaders(response, { dryRun, replayed: outcome.replayed });
  },
);

/** Calls about one post whose ID is in the path. */
export const POST_ACTION_ROUTES: readonly Route[] = [RESOLVE_PUBLICATION, REVERT_POST, COPY_POST];
