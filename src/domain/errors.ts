/** One entry for each refusal the product gives: its v1 status and what it means. Both doors and the reference read this table. */
interface ErrorEntry {
  readonly status: number;
  readonly meaning: string;
}

export const ERRORS = {
  BAD_USER_INPUT: {
    status: 400,
    meaning: 'The input is malformed; every problem is named with its path and what is allowed.',
  },
  UNAUTHENTICATED: {
    status: 401,
    meaning: 'The key is missing, malformed, unknown, revoked or expired.',
  },
  MISSING_SCOPE: { status: 403, meaning: 'The key lacks the scope that the route or field needs.' },
  MISSING_WORKSPACE: { status: 403, meaning: 'The header Service-Workspace-Id is missing.' },
  NOT_A_MEMBER: { status: 403, meaning: 'The key’s user is not a member of the workspace.' },
  PLAN_REQUIRED: { status: 403, meaning: 'The key’s user is not on the business plan.' },
  HTTPS_REQUIRED: { status: 403, meaning: 'A key was sent over plain HTTP.' },
  FORBIDDEN: {
    status: 403,
    meaning: 'The post exists but is not accessible, or the viewer has no right to do this.',
  },
  NOT_FOUND: { status: 404, meaning: 'No such route.' },
  POST_NOT_FOUND: { status: 422, meaning: 'No post has that identifier.' },
  JOB_NOT_FOUND: { status: 404, meaning: 'No job of this workspace has that identifier.' },
  NOT_IN_SANDBOX: { status: 404, meaning: 'The post is not on the sandbox network.' },
  MEDIA_NOT_FOUND: { status: 422, meaning: 'No media of this workspace has that identifier.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The route exists, the method does not; the header Allow names those that do.',
  },
  CONFLICT: {
    status: 412,
    meaning: 'The post has another version than the one expected; nothing was applied.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The request body is larger than 1 MB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The body is not JSON.' },
  RULE_VIOLATION: {
    status: 422,
    meaning: 'A rule of the interface refuses the change; one message for each refused field.',
  },
  APPROVAL_REQUIRED: {
    status: 422,
    meaning: 'The workspace requires approval, which this member may not give.',
  },
  DAILY_LIMIT_EXCEEDED: {
    status: 422,
    meaning: 'The change would put more posts into 24 hours than the plan allows.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    meaning: 'The idempotency key was used before with another input.',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    meaning: 'A request with the same idempotency key has been running for over 10 seconds.',
  },
  RATE_LIMITED: { status: 429, meaning: 'Rate limit exceeded. Retry later.' },
  QUERY_TOO_DEEP: { status: 400, meaning: 'The operation nests deeper than allowed.' },
  QUERY_TOO_COMPLEX: { status: 400, meaning: 'The operation costs more than allowed.' },
  TOO_MANY_FIELDS: {
    status: 400,
    meaning: 'The operation has more fields, root fields or mutations than allowed.',
  },
  TOO_MANY_ALIASES: { status: 400, meaning: 'The operation has more aliases than allowed.' },
  TOO_MANY_DIRECTIVES: { status: 400, meaning: 'The operation has more directives than allowed.' },
  TOO_MANY_TOKENS: { status: 400, meaning: 'The document has more tokens than allowed.' },
  UNAVAILABLE: {
    status: 503,
    meaning:
      'Something the gateway depends on is away or too slow, or there is more to do than can be done; Retry-After says when to try again.',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    meaning: 'A fault of ours; X-Request-Id finds it in the log.',
  },
} as const satisfies Record<string, ErrorEntry>;
export type ErrorCode = keyof typeof ERRORS;

/** One thing wrong with an input: where, as camelCase names and list positions, and what is allowed there. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What the gate and malformed input throw; each door turns it into its own answer in one place. */
export class GatewayError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = ERRORS[code].meaning,
    /** Every problem of a malformed input. */
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
    this.name = 'GatewayError';
  }
}

/** A refusal by the law: data that a caller finds in the answer, never thrown. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** Path in the patch, or the name of what stands beside it (`expectedVersion`, `idempotencyKey`), camelCase; empty where the refusal concerns the whole. */
  readonly path: readonly string[];
  /** The row of the interface document, or the decision, that refuses. */
  readonly rule: string;
}
