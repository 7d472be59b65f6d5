import { SHARE_MODES } from '../domain/creation/creation-modes.js';
import { enumKeys } from '../domain/enums.js';
import { ERRORS, type ErrorCode, type GatewayError, type Refusal } from '../domain/errors.js';
import { PATCH_FIELDS } from '../domain/posts/post-fields.js';
import { toSnakeCase } from '../domain/snake-case.js';

/** Error codes of tools that the other APIs do not have. */
export const TOOL_ERRORS = {
  CONFIRMATION_REQUIRED:
    'Nothing was changed. The call needs the `confirm_token` that this error contains.',
  AMBIGUOUS_TIME:
    'The local time does not exist in the time zone, or exists twice. The message contains both readings.',
} as const;
/** An error code of a tool. */
export type ToolErrorCode = ErrorCode | keyof typeof TOOL_ERRORS;

/** What a model can do about an error. Other codes have the general advice. */
const ADVICE: Partial<Record<ToolErrorCode, string>> = {
  CONFIRMATION_REQUIRED:
    'Show the preview to a person. If they agree, send the same call with confirm_token.',
  AMBIGUOUS_TIME: 'Send the time with its offset, as one of the readings in the message.',
  BAD_USER_INPUT: 'Correct the argument that field names. The message says what is allowed.',
  DUPLICATE_CONTENT:
    'This post exists; do not change the text to get round this. If a person wants a second one, set allow_duplicate.',
  MISSING_SCOPE:
    'This key may not do this. A person has to create a key with the scope that the message names.',
  MISSING_WORKSPACE:
    'Send workspace_id. The message lists the workspaces, if the key may read them.',
  NOT_A_MEMBER: 'Use a workspace that get_context lists.',
  FORBIDDEN: 'Ask a person who has the right that the message names.',
  POST_NOT_FOUND: 'Find the post with search_posts. It may have been deleted: see restore_posts.',
  CONFLICT: 'Read the post with get_post, and decide again on the base of its current version.',
  RULE_VIOLATION: 'Correct what the message names. get_rules lists the limits of a network.',
  APPROVAL_REQUIRED: 'Ask an owner or admin to do this, or request approval with review_posts.',
  NO_FREE_SLOT: 'Choose a time, or ask a person to add times to the queue of the account.',
  DAILY_LIMIT_EXCEEDED: 'Choose a later time. list_accounts tells what is left today.',
  MEDIA_NOT_FOUND: 'Add the file with import_media or create_media_upload, and use its media_id.',
  JOB_NOT_FOUND: 'Use the job_id of a call in the same workspace.',
  CURSOR_EXPIRED: 'Read the posts again with search_posts, and start without a cursor.',
  PUBLISHING: 'The post is being published. Wait for retry_after_s, then read it with get_post.',
  IDEMPOTENCY_MISMATCH: 'Use another idempotency_key for another call.',
  IDEMPOTENCY_IN_FLIGHT: 'Wait for retry_after_s, and send the same call again.',
  RATE_LIMITED: 'Wait for retry_after_s, and send the same call again.',
  UNAVAILABLE: 'Wait for retry_after_s, and send the same call again: nothing is done twice.',
  INTERNAL_SERVER_ERROR: 'Tell a person the request_id. Read the posts before you try again.',
};
const GENERAL_ADVICE = 'Tell a person what the message says.';

/** Codes for which the same call may succeed later, and after how many seconds. */
const RETRY_AFTER_S: Partial<Record<ToolErrorCode, number>> = {
  PUBLISHING: 5,
  IDEMPOTENCY_IN_FLIGHT: 5,
  UNAVAILABLE: 5,
  RATE_LIMITED: 60,
};

/** An error as a tool returns it. */
export interface ToolFailure {
  readonly code: ToolErrorCode;
  readonly message: string;
  /** The rule or decision that refuses. */
  readonly rule?: string;
  /** Path of the argument, such as `accounts[0].text`. */
  readonly field?: string;
  /** The post that is the reason. */
  readonly post_id?: string;
  readonly retryable: boolean;
  readonly retry_after_s?: number;
  readonly what_to_do: string;
}

/** Thrown by tools; `more` is what the answer contains besides the error. */
export class ToolError extends Error {
  constructor(
    readonly failure: ToolFailure,
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(failure.message);
  }
}

/** An error with what follows from its code. */
export function toolFailure(
  code: ToolErrorCode,
  message: string,
  { field, rule, postId }: { field?: string; rule?: string; postId?: string | undefined } = {},
): ToolFailure {
  const retryAfter = RETRY_AFTER_S[code];
  return {
    code,
    message,
    ...(rule && { rule }),
    ...(field && { field }),
    ...(postId && { post_id: postId }),
    retryable: retryAfter !== undefined,
    ...(retryAfter !== undefined && { retry_after_s: retryAfter }),
    what_to_do: ADVICE[code] ?? GENERAL_ADVICE,
  };
}

/** What messages of the domain say, and how tools say it; before names are replaced. */
const PHRASES: readonly (readonly [domain: string, tools: string])[] = [
  [', or retryPosts with confirmNotLive', ''],
  [' Check its network, and set confirmNotLive if it is not there.', ' Use resolvePublication.'],
  ['Add slots with setPostingSchedule, or choose', 'Ask a person to add times, or choose'],
  ...enumKeys(SHARE_MODES).map((mode) => [`mode ${mode.toUpperCase()}`, `mode ${mode}`] as const),
  ['networkOptions', 'options'],
  ['notLive', 'not_live'],
  ['remoteId', 'remote_id'],
];
/** Arguments that have other names than the input of the domain. */
const ARGUMENT_NAMES: Readonly<Record<string, string>> = {
  scheduledAt: 'at',
  url: 'link_url',
  labels: 'label_ids',
  networkOptions: 'options',
  caption: 'alt_text',
  postIds: 'ids',
};
const NAMES: ReadonlyMap<string, string> = new Map(
  [
    ...PATCH_FIELDS,
    'accountId',
    'allowDuplicate',
    'altText',
    'boardId',
    'expectedVersion',
    'idempotencyKey',
    'parseMode',
    'publishLate',
    'replySettings',
    'resolvePublication',
    'retryPosts',
    'schedulePosts',
    'spoilerText',
    'timeZone',
    'toVersion',
  ].map((name) => [name, ARGUMENT_NAMES[name] ?? toSnakeCase(name)]),
);

/** A message of the domain in the words of tools. */
export const toToolMessage = (message: string): string =>
  PHRASES.reduce((text, [from, to]) => text.replaceAll(from, to), message).replace(
    /\b[a-z]+[A-Z]\w*/g,
    (word) => NAMES.get(word) ?? word,
  );

/** A path of the domain as that of an argument: `media.0.id` is `media[0].media_id`. */
export function toArgumentPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step, index) => {
    if (typeof step === 'number' || /^\d+$/.test(step)) return `${text}[${step}]`;
    const isMediaId = step === 'id' && path[index - 2] === 'media';
    const name = isMediaId ? 'media_id' : (ARGUMENT_NAMES[step] ?? toSnakeCase(step));
    return text ? `${text}.${name}` : name;
  }, '');
}

/** A refusal as an error; `toField` gives the path of the argument. */
export const refusalFailure = (
  { code, message, path, rule, postId }: Refusal,
  toField: (path: readonly string[]) => string = toArgumentPath,
): ToolFailure => toolFailure(code, toToolMessage(message), { field: toField(path), rule, postId });

/** What was thrown by a service as an error of a tool. */
export function gatewayFailure({ code, message, problems }: GatewayError): ToolFailure {
  if (problems.length === 0) return toolFailure(code, toToolMessage(message));
  const texts = problems
    .slice(0, 5)
    .map(({ path, message: text }) => `${toArgumentPath(path)} ${toToolMessage(text)}`.trim());
  return toolFailure(code, texts.join('; '), { field: toArgumentPath(problems[0]!.path) });
}

/** Description of a code, for the resource and the reference page. */
export const describeToolError = (code: ToolErrorCode): string =>
  code in TOOL_ERRORS
    ? TOOL_ERRORS[code as keyof typeof TOOL_ERRORS]
    : ERRORS[code as ErrorCode].description;

/** What a model can do about a code. */
export const adviceFor = (code: ToolErrorCode): string => ADVICE[code] ?? GENERAL_ADVICE;
