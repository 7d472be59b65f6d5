import type { ErrorCode } from '../../src/domain/errors.js';
import type { NetworkFailureCode } from '../../src/domain/networks/network-failures.js';

/** How to resolve each API error. Every error code must have an entry. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  BAD_USER_INPUT: 'Correct the fields listed in the messages. Each message states what is allowed.',
  UNAUTHENTICATED:
    'Check that the full key is sent as `Authorization: Bearer-API <key>`. If it is, check with `keys list` whether the key has expired or was revoked, and create a new key with `keys create`.',
  MISSING_SCOPE:
    'Create a key with the scope that the message names. You cannot change the scopes of an existing key.',
  MISSING_WORKSPACE:
    'Send the header `Service-Workspace-Id`. `GET /v1/workspaces` and `workspaces { id }` list the IDs and do not need the header.',
  NOT_A_MEMBER: 'Check the workspace ID. If it is correct, add the user with `members add`.',
  PLAN_REQUIRED:
    'Give the user of the key the business plan: `users update <user> --plan business`.',
  HTTPS_REQUIRED:
    'Use HTTPS, and revoke the key, because it was sent unencrypted. If a proxy terminates TLS, set TRUSTED_PROXIES to its address.',
  FORBIDDEN:
    'Ask for the permission that the message names. To avoid this error, check `editability` and `deletability` before the call.',
  NOT_FOUND: 'Check the path. `/docs` lists all routes.',
  DUPLICATE_CONTENT: 'Change the text or the media, or set `allowDuplicate`.',
  POST_NOT_FOUND:
    'Check the ID: the post does not exist or was deleted. A database ID (an integer) is valid only in the workspace of its post.',
  JOB_NOT_FOUND:
    'Use the workspace in which the job was started. Finished jobs are kept for 30 days.',
  NOT_IN_SANDBOX:
    'Use a post of a sandbox account that its network has. To create such an account, run `accounts create … --sandbox`.',
  MEDIA_NOT_FOUND:
    'Use an ID from `GET /v1/media` of this workspace, or send a `path` instead of an ID.',
  MEDIA_QUOTA_EXCEEDED:
    'Do what the message says. `GET /v1/media/usage` and `Workspace.mediaUsage` return the numbers. Operators set the quotas by plan with MEDIA_GIGABYTES, MEDIA_OPEN_UPLOADS and MEDIA_WAITING_IMPORTS.',
  WEBHOOK_NOT_FOUND: 'Use an ID from `GET /v1/webhooks` of this workspace.',
  CONNECTION_NOT_FOUND:
    'Use the ID that `startConnection` returned, with a key of the same user. Records of connections are kept for a day.',
  CONNECTION_EXPIRED: 'Start a new connection, and complete it within 10 minutes.',
  CONSENT_DENIED: 'Start a new connection, and allow the access on the page of the network.',
  SCOPES_MISSING: 'Start a new connection, and allow all permissions that the page lists.',
  APP_NOT_APPROVED:
    'Ask the operator to complete the review of the app at the network. Until then, people with a role in the app can connect their accounts.',
  WRONG_ACCOUNT_KIND:
    'Use an account of the kind that the message names, for example a professional account.',
  WRONG_IDENTITY:
    'Sign in to the network with the right account, or disconnect the account in the other workspace first.',
  NOT_CONFIGURED: 'Ask the operator to set what the message names.',
  METHOD_NOT_ALLOWED: 'Use a method listed in the `Allow` header.',
  CONFLICT:
    'Another client changed the post after you read it. Read the post again, decide whether your change still applies, and send the change with the new version.',
  PAYLOAD_TOO_LARGE:
    'Send less data per request: at most 1 MB, 8 MB to v1 routes that create posts, and 200 MB per uploaded file. To add media, send their URLs instead of their content.',
  UNSUPPORTED_MEDIA_TYPE:
    'Send JSON with `Content-Type: application/json`, UTF-8 encoded and uncompressed. To upload a file, send a form with `multipart/form-data`.',
  RULE_VIOLATION:
    'Remove the rejected fields, or correct them. Each message names the field and states what is allowed. To avoid this error, check `editability` before an update.',
  APPROVAL_REQUIRED: 'Have an owner or admin make this change, or change only the labels.',
  NO_FREE_SLOT:
    'Add slots to the posting schedule with `setPostingSchedule`, or choose a time and the mode SCHEDULE.',
  DAILY_LIMIT_EXCEEDED:
    'Choose another date. The message states the next time at which the cap allows another post, and `dailyCaps` shows what is left.',
  IDEMPOTENCY_MISMATCH:
    'Use a new key for each new input. Reuse a key only to repeat exactly the same request.',
  PUBLISHING:
    'Wait for the number of seconds in `Retry-After`, then send the request again. `Post.publication` shows the result.',
  IDEMPOTENCY_IN_FLIGHT: 'Wait, then send the same request with the same key again.',
  CURSOR_EXPIRED:
    'Call `changes` without a cursor, read all posts again, and continue with the new cursor. Cursors expire after 30 days, or when an operator restores a backup.',
  RATE_LIMITED:
    'Wait for the number of seconds in `Retry-After`. To send fewer requests, request more data at a time. An operator can set a custom limit for a user.',
  QUERY_TOO_DEEP: 'Select fewer levels, or split the query and fetch nested objects by ID.',
  QUERY_TOO_COMPLEX:
    'Use the `first` that the message names or fewer nested lists, and select fewer long fields. `extensions.cost` contains the cost of an operation.',
  PERSISTED_QUERY_NOT_SUPPORTED:
    'Send the document without `extensions.persistedQuery`. Apollo Client and urql do so on their own.',
  TOO_MANY_FIELDS: 'Split the operation. One delete mutation accepts many IDs.',
  TOO_MANY_ALIASES:
    'Use filters, `nodes(ids:)` or several requests instead of one alias per object.',
  TOO_MANY_DIRECTIVES: 'Remove directives or split the operation.',
  TOO_MANY_TOKENS: 'Move values into variables, or split the document.',
  UNAVAILABLE:
    'Retry after the number of seconds in `Retry-After`. Retry changes with the same idempotency key, because the change may have been saved. If you operate the gateway, check `/readyz`, the database and the load.',
  INTERNAL_SERVER_ERROR:
    'Retry once. If the request fails again, send the `X-Request-Id` to the operator, who can find the cause in the log.',
};

/** How to resolve each failure of an edit on its network. */
export const NETWORK_FAILURE_ADVICE: Readonly<Record<NetworkFailureCode, string>> = {
  NETWORK_NOT_CONNECTED: 'Connect the account with `accounts connect`, then run `jobs retry`.',
  NETWORK_POST_UNKNOWN:
    'Edit the post on the network. The gateway can edit only posts for which it has stored the network’s ID.',
  NETWORK_REAUTHORIZATION_NEEDED:
    'Reconnect the account with `accounts connect`, then run `jobs retry`. Its scheduled posts return to their previous state automatically.',
  NETWORK_FORBIDDEN:
    'Grant the account the required permission on the network, then run `jobs retry`.',
  NETWORK_POST_DELETED: 'No action is needed. The post is now `published_deleted`.',
  NETWORK_CONFLICT: 'Wait. If all attempts have failed, run `jobs retry`.',
  NETWORK_DUPLICATE: 'Change the post, or delete the other one on the network.',
  NETWORK_REFUSED: 'Read the network’s reason in the message, and correct the post.',
  NETWORK_RATE_LIMITED:
    'Wait. The gateway pauses edits for the account for as long as the network requires.',
  NETWORK_UNAVAILABLE:
    'Wait. If all attempts have failed, run `jobs retry` when the network is available again.',
};
