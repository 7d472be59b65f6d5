/** An error code of the APIs. */
interface ErrorEntry {
  /** HTTP status in the REST API. */
  readonly status: number;
  readonly description: string;
}

/** All error codes. Both APIs and the reference documentation are generated from this table. */
export const ERRORS = {
  BAD_USER_INPUT: {
    status: 400,
    description:
      'The input is malformed. Every problem is listed with its path and the allowed values.',
  },
  UNAUTHENTICATED: {
    status: 401,
    description: 'The key is missing, malformed, unknown, revoked or expired.',
  },
  MISSING_SCOPE: {
    status: 403,
    description: 'The key does not have the scope that the route or field requires.',
  },
  MISSING_WORKSPACE: { status: 403, description: 'The Service-Workspace-Id header is missing.' },
  NOT_A_MEMBER: { status: 403, description: 'The key’s user is not a member of the workspace.' },
  PLAN_REQUIRED: { status: 403, description: 'The key’s user is not on the business plan.' },
  HTTPS_REQUIRED: { status: 403, description: 'A key was sent over plain HTTP.' },
  FORBIDDEN: {
    status: 403,
    description: 'The post exists but is not accessible, or you are not allowed to do this.',
  },
  NOT_FOUND: { status: 404, description: 'The route does not exist.' },
  POST_NOT_FOUND: { status: 422, description: 'No post has this ID.' },
  JOB_NOT_FOUND: { status: 404, description: 'No job in this workspace has this ID.' },
  NOT_IN_SANDBOX: { status: 404, description: 'The post is not on the sandbox network.' },
  MEDIA_NOT_FOUND: { status: 422, description: 'No media in this workspace has this ID.' },
  WEBHOOK_NOT_FOUND: { status: 404, description: 'No webhook in this workspace has this ID.' },
  CONNECTION_NOT_FOUND: {
    status: 404,
    description: 'No connection in this workspace has this ID.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    description:
      'The route does not support this method. The Allow header lists the supported methods.',
  },
  CONFLICT: {
    status: 412,
    description: 'The post’s version differs from the expected version. Nothing was changed.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    description: 'The request body or the uploaded file is too large.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    description: 'The request body is not JSON or, for an upload, not a form with a file.',
  },
  RULE_VIOLATION: {
    status: 422,
    description: 'A rule does not allow the change. There is one message for each rejected field.',
  },
  APPROVAL_REQUIRED: {
    status: 422,
    description: 'The workspace requires approval, which this member cannot give.',
  },
  DUPLICATE_CONTENT: {
    status: 422,
    description: 'The account has another post with the same content within 24 hours of this one.',
  },
  NO_FREE_SLOT: {
    status: 422,
    description:
      'The posting schedule of the account has no free time within a year, or in the requested range.',
  },
  DAILY_LIMIT_EXCEEDED: {
    status: 422,
    description: 'The change would schedule more posts within 24 hours than the plan allows.',
  },
  MEDIA_QUOTA_EXCEEDED: {
    status: 422,
    description:
      'The workspace has as many bytes of files, open upload URLs or files to import as its plan allows.',
  },
  CONNECTION_EXPIRED: {
    status: 422,
    description: 'The connection was not completed within 10 minutes. Start again.',
  },
  CONSENT_DENIED: {
    status: 422,
    description: 'The person did not give consent on the page of the network.',
  },
  SCOPES_MISSING: {
    status: 422,
    description: 'The person did not grant all permissions that the gateway needs.',
  },
  APP_NOT_APPROVED: {
    status: 422,
    description:
      'The network does not allow the gateway’s app to connect this account: the app is in development or not approved.',
  },
  WRONG_ACCOUNT_KIND: {
    status: 422,
    description: 'The network has no API for this kind of account, such as a personal account.',
  },
  WRONG_IDENTITY: {
    status: 422,
    description:
      'The credentials belong to another account than the one to connect, or the account is connected in another workspace.',
  },
  NOT_CONFIGURED: {
    status: 422,
    description: 'The operator of the gateway has not set up what this needs.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    description: 'The idempotency key was already used with a different input.',
  },
  PUBLISHING: {
    status: 409,
    description:
      'The post is being published, so only its labels can be changed now. Retry after the number of seconds in the Retry-After header.',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    description: 'A request with the same idempotency key is still running after 10 seconds.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    description:
      'The cursor is too old, or belongs to another database. Read all posts again, and start with a new cursor.',
  },
  RATE_LIMITED: { status: 429, description: 'Rate limit exceeded. Retry later.' },
  QUERY_TOO_DEEP: { status: 400, description: 'The operation is nested too deeply.' },
  QUERY_TOO_COMPLEX: {
    status: 400,
    description: 'The operation exceeds the cost limit, or its answer the size limit.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    status: 400,
    description: 'GraphQL: the request has a persisted query instead of, or besides, a document.',
  },
  TOO_MANY_FIELDS: {
    status: 400,
    description: 'The operation has too many fields, root fields or mutations.',
  },
  TOO_MANY_ALIASES: { status: 400, description: 'The operation has too many aliases.' },
  TOO_MANY_DIRECTIVES: { status: 400, description: 'The operation has too many directives.' },
  TOO_MANY_TOKENS: { status: 400, description: 'The document has too many tokens.' },
  UNAVAILABLE: {
    status: 503,
    description:
      'The gateway is overloaded or a dependency is unavailable. Retry after the number of seconds in the Retry-After header.',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    description:
      'Internal error. Report the X-Request-Id header, which identifies the error in the server log.',
  },
} as const satisfies Record<string, ErrorEntry>;
export type ErrorCode = keyof typeof ERRORS;

/** End of the message of UNAVAILABLE for a change without a known outcome. */
export const MAY_BE_SAVED =
  'it may have been saved: send it again with the same idempotency key, or read the post first.';

/**
 * One problem of an input: its path, as camelCase names and list indexes, and what is allowed
 * there.
 */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Thrown for authentication, limits and malformed input. Each API converts it into a response in
 * one module.
 */
export class GatewayError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = ERRORS[code].description,
    /** The problems of a malformed input. */
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
    this.name = 'GatewayError';
  }
}

/**
 * The error of malformed arguments. Its message names the first one. The messages of the problems
 * do not repeat their paths: REST v1 writes the path before them.
 */
export const invalidArguments = (problems: readonly [Problem, ...Problem[]]): GatewayError =>
  new GatewayError(
    'BAD_USER_INPUT',
    `${problems[0].path.join('.')} ${problems[0].message}`,
    problems,
  );

/** A refusal by a domain rule: returned as data, never thrown. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /**
   * Path in the patch, or the argument (`expectedVersion`, `idempotencyKey`), in camelCase; empty
   * if the whole request is refused.
   */
  readonly path: readonly string[];
  /** The rule of the interface document, or the decision (D…), that refuses. */
  readonly rule: string;
  /** Document ID of another post that is the reason; absent if there is none. */
  readonly postId?: string;
}
