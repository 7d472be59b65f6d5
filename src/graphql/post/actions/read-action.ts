import type { Problem } from '../../../domain/errors.js';
import { instant } from '../../../domain/input/date-readers.js';
import { codePoints } from '../../../domain/input/field-limits.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import type {
  ActionInput,
  ActionRequest,
  Resolution,
} from '../../../services/posts/actions/action-request.js';
import { badUserInput } from '../../connection/connection.js';
import { findKeyProblems, toProblem } from '../change/read-change.js';
import type {
  BulkActionInput,
  ResolvePublicationInput,
  SchedulePostsInput,
  ReviewPostsInput,
} from './action-inputs.js';

const { postsOfAction: MAX_POSTS, reviewNote: MAX_NOTE } = REQUEST_LIMITS;

/** Problems of the number of posts in a list of the input. */
export const findCountProblems = (list: string, count: number): Problem[] =>
  count >= 1 && count <= MAX_POSTS
    ? []
    : [toProblem({ path: [list], message: `must have 1 to ${MAX_POSTS} entries, got ${count}.` })];

interface SentOptions {
  readonly idempotencyKey?: string | null;
  readonly dryRun: boolean;
}

/** Completes the request of an action. @throws GatewayError BAD_USER_INPUT with every problem */
export function toActionRequest(
  { idempotencyKey, dryRun }: SentOptions,
  request: Pick<ActionRequest, 'ids' | 'expectedVersions' | 'policy' | 'action'>,
  problems: readonly Problem[],
): ActionRequest {
  const allProblems = [...problems, ...findKeyProblems(idempotencyKey)];
  if (allProblems.length > 0) throw badUserInput(allProblems);
  return { ...request, dryRun, ...(idempotencyKey != null && { idempotencyKey }) };
}

/** Reads an action on several posts. @throws GatewayError BAD_USER_INPUT with every problem */
export const readBulkAction = (
  input: BulkActionInput,
  action: ActionInput,
  problems: readonly Problem[] = [],
): ActionRequest =>
  toActionRequest(input, { ids: input.ids, policy: input.policy, action }, [
    ...findCountProblems('ids', input.ids.length),
    ...problems,
  ]);

/** Reads the scheduling of posts. @throws GatewayError BAD_USER_INPUT with every problem (D48) */
export function readScheduling(input: SchedulePostsInput): ActionRequest {
  const { mode, accountId = null, visibility = null, allowDuplicate } = input;
  const problems: Problem[] = [];
  const scheduledAt =
    (input.scheduledAt && instant(input.scheduledAt, ['scheduledAt'], problems)) ?? null;
  if (visibility !== null && mode !== 'draft')
    problems.push({ path: ['visibility'], message: 'can be sent only in mode DRAFT.' });
  if (scheduledAt !== null && mode === 'share_now')
    problems.push({ path: ['scheduledAt'], message: 'cannot be sent in mode SHARE_NOW.' });
  return readBulkAction(
    input,
    { kind: 'schedule', mode, scheduledAt, accountId, visibility, allowDuplicate },
    problems.map(toProblem),
  );
}

/** Reads a decision about posts. @throws GatewayError BAD_USER_INPUT with every problem (D64) */
export function readReview(input: ReviewPostsInput): ActionRequest {
  const { posts, policy, decision, note = null, publishLate } = input;
  const problems = [...findCountProblems('posts', posts.length)];
  if (note !== null && (codePoints(note) > MAX_NOTE || note.includes('\0')))
    problems.push(
      toProblem({ path: ['note'], message: `may have at most ${MAX_NOTE} characters.` }),
    );
  return toActionRequest(
    input,
    {
      ids: posts.map(({ id }) => id),
      expectedVersions: posts.map(({ expectedVersion }) => expectedVersion ?? null),
      policy,
      action: { kind: 'review', decision, note, publishLate },
    },
    problems,
  );
}

/** Reads what a person found. @throws GatewayError BAD_USER_INPUT with every problem (D54) */
export function readResolution(input: ResolvePublicationInput): ActionRequest {
  const { id, url, remoteId, notLive } = input;
  const problems: Problem[] = [];
  if ((url == null) === (notLive !== true))
    problems.push({ path: ['url'], message: 'send either url or notLive: true, and not both.' });
  if (remoteId != null && url == null)
    problems.push({ path: ['remoteId'], message: 'can be sent only together with url.' });
  for (const [name, value] of Object.entries({ url, remoteId }))
    if (value != null && (value.length > MAX_TEXT[name]! || value.includes('\0')))
      problems.push({ path: [name], message: `may have at most ${MAX_TEXT[name]} characters.` });
  const resolution: Resolution =
    url == null ? { kind: 'not_live' } : { kind: 'live', url, remoteId: remoteId ?? null };
  return toActionRequest(
    input,
    { ids: [id], policy: 'skip_refused', action: { kind: 'resolve', resolution } },
    problems.map(toProblem),
  );
}

/** Maximum lengths of texts, in UTF-16 code units. */
const MAX_TEXT: Readonly<Record<string, number>> = { url: 2_048, remoteId: 512 };
