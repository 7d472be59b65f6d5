import type { Viewer } from '../domain/access/viewer.js';
import { enumKeys } from '../domain/enums.js';
import { GatewayError } from '../domain/errors.js';
import { flag, line, matching, oneOf } from '../domain/input/readers.js';
import type { Account } from '../domain/posts/post.js';
import {
  isSlotTime,
  MAX_POSTING_SLOTS,
  WEEKDAYS,
  type PostingSchedule,
  type PostingSlot,
} from '../domain/publishing/posting-schedule.js';
import { timestamp } from '../domain/timestamp.js';
import type { Services } from '../services/services.js';
import { listReader, objectReader, readBody } from '../http/body-readers.js';
import { presentRefusals } from './errors.js';
import { DRY_RUN, withChangeHeaders } from './headers.js';
import {
  arrayOf,
  BOOLEAN,
  enumOf,
  nullable,
  objectOf,
  TEXT,
  TIMESTAMP,
  withDescription,
  type JsonSchema,
} from '../http/json-schema.js';
import { FLAG, positiveInteger, singleParam, type QueryParams } from './query-params.js';
import { inWorkspace, readChange, readQuery, type Route } from './route.js';

const MAX_FREE_TIMES = { max: 100, default: 10 } as const;

const GET_PARAMS = {
  next_free: singleParam(
    positiveInteger(MAX_FREE_TIMES.max, { default: MAX_FREE_TIMES.default }),
    'Maximum number of free times in `next_free`.',
    MAX_FREE_TIMES.max,
  ),
} satisfies QueryParams;

const SET_PARAMS = {
  dry_run: singleParam(FLAG, 'Checks and returns the change without saving it.', true),
} satisfies QueryParams;

const SLOT = objectReader<PostingSlot>(
  {
    weekday: { schema: enumOf(enumKeys(WEEKDAYS)), read: oneOf(enumKeys(WEEKDAYS)) },
    time: {
      schema: withDescription('Local time, HH:MM.', {
        ...TEXT,
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      }),
      read: matching(
        (value): value is string => typeof value === 'string' && isSlotTime(value),
        'must be a time from 00:00 to 23:59',
      ),
    },
  },
  ['weekday', 'time'],
);

interface ScheduleBody {
  time_zone?: string | null;
  paused?: boolean | null;
  slots?: PostingSlot[] | null;
}
const BODY = objectReader<ScheduleBody>({
  time_zone: {
    schema: withDescription(
      'IANA time zone, such as `Europe/Berlin`. Null for that of the workspace, also when it changes.',
      nullable(TEXT),
    ),
    read: line({ maxLength: 100 }),
  },
  paused: {
    schema: withDescription(
      'Whether to pause the queue. When it is resumed, posts whose time has passed get the next free times.',
      BOOLEAN,
    ),
    read: flag,
  },
  slots: listReader(SLOT, { maxItems: MAX_POSTING_SLOTS }),
});

/** Schemas of posting schedules by component name. */
export const POSTING_SCHEDULE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  SetPostingSchedule: BODY.schema,
  PostingSchedule: objectOf({
    account_id: TEXT,
    time_zone: withDescription('IANA time zone in which the slots keep their local time.', TEXT),
    uses_workspace_time_zone: withDescription(
      'Whether the time zone is that of the workspace, also when that changes.',
      BOOLEAN,
    ),
    paused: BOOLEAN,
    slots: withDescription('Ordered by weekday and time.', arrayOf(SLOT.schema)),
    next_free: withDescription(
      'Next free times of the queue, in order. A post that is added now gets the first.',
      arrayOf(TIMESTAMP),
    ),
  }),
};

async function present(
  services: Services,
  viewer: Viewer,
  { account, schedule }: { readonly account: Account; readonly schedule: PostingSchedule },
  first: number,
) {
  const nextFree = await services.postingSchedules.nextFree(viewer, account, first);
  return {
    account_id: account.id,
    time_zone: schedule.timeZone,
    uses_workspace_time_zone: schedule.usesWorkspaceTimeZone,
    paused: schedule.paused,
    slots: schedule.slots,
    next_free: nextFree.map(timestamp),
  };
}

const ACCOUNT_PATH = '/v1/accounts/{account_id}/posting-schedule';

/** When accounts publish the posts of their queues (D61). */
export const POSTING_SCHEDULE_ROUTES: readonly Route[] = [
  inWorkspace(
    {
      method: 'GET',
      path: ACCOUNT_PATH,
      operationId: 'getPostingSchedule',
      tag: 'Accounts',
      summary: 'Get posting schedule',
      description: 'When the account publishes the posts of its queue.',
      scopes: [['accounts']],
      params: GET_PARAMS,
      responseSchema: 'PostingSchedule',
      errorCodes: ['RULE_VIOLATION'],
    },
    async (viewer, { id, query }, { services }) => {
      const { next_free: first = MAX_FREE_TIMES.default } = readQuery(GET_PARAMS, query);
      const accounts = await services.workspaceRecords.accountsById(viewer.workspace.id, [id]);
      const account = accounts.get(id);
      if (!account)
        throw new GatewayError('RULE_VIOLATION', 'No account of this workspace has this ID.');
      const schedule = (await services.postingSchedules.byAccount([id])).get(id)!;
      const body = await present(services, viewer, { account, schedule }, first);
      return { status: 200, body };
    },
  ),
  inWorkspace(
    {
      method: 'PUT',
      path: ACCOUNT_PATH,
      operationId: 'setPostingSchedule',
      tag: 'Accounts',
      summary: 'Set posting schedule',
      description:
        'Sets when an account publishes the posts of its queue, or pauses the queue. Keys that are omitted keep their values; `slots` replaces all slots. Requires post-action access.',
      scopes: [['posts:write']],
      params: SET_PARAMS,
      requestSchema: 'SetPostingSchedule',
      responseSchema: 'PostingSchedule',
      responseHeaders: [DRY_RUN],
      errorCodes: [
        'FORBIDDEN',
        'RULE_VIOLATION',
        'NO_FREE_SLOT',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
      ],
    },
    async (viewer, request, { services, fieldMapping }) => {
      const { value, problems } = readBody(BODY, request.body);
      const { dryRun } = readChange(SET_PARAMS, request, problems);
      const { time_zone: timeZone, paused, slots } = value!;
      const outcome = await services.postingSchedules.set(viewer, {
        accountId: request.id,
        dryRun,
        ...(timeZone !== undefined && { timeZone }),
        ...(paused != null && { paused }),
        ...(slots != null && { slots }),
      });
      const marks = { dryRun, replayed: false };
      if (outcome.kind === 'refused')
        return withChangeHeaders(
          presentRefusals(outcome.refusals, fieldMapping.toV1Message),
          marks,
        );
      const body = await present(services, viewer, outcome, MAX_FREE_TIMES.default);
      return withChangeHeaders({ status: 200, body }, marks);
    },
  ),
];
