import type { DeliveryFailureCode } from '../../src/domain/jobs/deliveries.js';
import type { ErrorCode } from '../../src/domain/errors.js';
import type { NetworkFailureCode } from '../../src/domain/networks/network-failures.js';

/** What whoever meets an error does about it. A code without an entry does not compile. */
export const ERROR_REMEDIES: Readonly<Record<ErrorCode, string>> = {
  BAD_USER_INPUT: 'Mend what the messages name; each says what is allowed.',
  UNAUTHENTICATED:
    'Send `Authorization: Bearer-API <key>` with the whole value. If it is right, the key has ended: `keys list`, then `keys create`.',
  MISSING_SCOPE:
    'Use a key with the scope that the message names. Scopes are fixed when a key is made: make a new key.',
  MISSING_WORKSPACE:
    'Send `Service-Workspace-Id`. `GET /v1/workspaces` and `workspaces { id }` list the ids and need none.',
  NOT_A_MEMBER: 'Check the id for a mistake; otherwise have the user added: `members add`.',
  PLAN_REQUIRED: 'The key’s user needs the business plan: `users update <user> --plan business`.',
  HTTPS_REQUIRED:
    'Use https, and revoke that key: it was readable on its way. Behind a proxy that ends TLS, set TRUSTED_PROXIES to its address.',
  FORBIDDEN:
    'The message says which right is missing. `editability` and `deletability` tell it beforehand.',
  NOT_FOUND: 'Check the path: `/docs` lists every route.',
  POST_NOT_FOUND:
    'The post was deleted, or never was. An integer id is known in its own workspace alone.',
  JOB_NOT_FOUND: 'Ask in the workspace where the job began; ended jobs are kept 30 days.',
  NOT_IN_SANDBOX: 'Its account is on a real network: make one with `accounts create … --sandbox`.',
  MEDIA_NOT_FOUND: 'Use an id that `GET /v1/media` lists for this workspace, or give a `path`.',
  METHOD_NOT_ALLOWED: 'Use a method that the header `Allow` names.',
  CONFLICT: 'Somebody changed the post: read it again, decide anew, and send the new version.',
  PAYLOAD_TOO_LARGE: 'Send less in one request. Media are given by address, never in the body.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json`, in UTF-8 and not compressed.',
  RULE_VIOLATION:
    'The message names the field and what is allowed. Leave the refused fields out; ask `editability` first.',
  APPROVAL_REQUIRED: 'Let an owner or an admin make this change, or change the labels alone.',
  DAILY_LIMIT_EXCEEDED:
    'Take another date: the message tells the next free time, `dailyCaps` how much is left.',
  IDEMPOTENCY_MISMATCH: 'Use a new key for each new input; the old one only for the very same one.',
  IDEMPOTENCY_IN_FLIGHT: 'Wait, and send the same request with the same key again.',
  RATE_LIMITED:
    'Wait for `Retry-After` seconds. Ask for more in one request; an operator can give a user a limit of their own.',
  QUERY_TOO_DEEP: 'Select fewer levels, or ask in two steps by id.',
  QUERY_TOO_COMPLEX:
    'Ask for a smaller `first`, or fewer lists inside lists; `extensions.cost` tells what an operation costs.',
  TOO_MANY_FIELDS: 'Split the operation. Deletes take many ids in one mutation.',
  TOO_MANY_ALIASES: 'Use filters, `nodes(ids:)` or several requests instead of one alias for each.',
  TOO_MANY_DIRECTIVES: 'Write the operation without them, or split it.',
  TOO_MANY_TOKENS: 'Move values into variables; split the document.',
  UNAVAILABLE:
    'Try again after `Retry-After` seconds; a change with the same idempotency key, since it may have been made. An operator looks at `/readyz`, the database and the load.',
  INTERNAL_SERVER_ERROR:
    'Try again once; then give the operator the `X-Request-Id`, by which the log has the cause.',
};

/** What an operator or a user does when an edit did not reach its network. */
export const NETWORK_REMEDIES: Readonly<Record<NetworkFailureCode, string>> = {
  NETWORK_NOT_CONNECTED: 'Connect the account (`accounts connect`), then `jobs retry`.',
  NETWORK_POST_UNKNOWN:
    'Nothing here: the post was not published or imported with the network’s own id. Edit it there.',
  NETWORK_REAUTHORIZATION_NEEDED:
    'Connect the account again (`accounts connect`), then `jobs retry`. Its planned posts go back by themselves.',
  NETWORK_FORBIDDEN: 'Give the account the right on the network, then `jobs retry`.',
  NETWORK_POST_DELETED: 'Nothing: the post is `published_deleted` from then on.',
  NETWORK_CONFLICT: 'Wait. If it failed for good, `jobs retry`.',
  NETWORK_REFUSED: 'Read the network’s own words in the message, and change the post again.',
  NETWORK_RATE_LIMITED: 'Wait: the account pauses as long as the network asks.',
  NETWORK_UNAVAILABLE: 'Wait. If it failed for good, `jobs retry` when the network is back.',
};

/** What an operator does when a notification did not reach the webhook. */
export const DELIVERY_REMEDIES: Readonly<Record<DeliveryFailureCode, string>> = {
  WEBHOOK_NOT_SET:
    'Give workers the same NOTIFY_WEBHOOK_URL and NOTIFY_WEBHOOK_SECRET as gateways, then `jobs retry`.',
  WEBHOOK_GONE: 'Set another NOTIFY_WEBHOOK_URL, or none.',
  WEBHOOK_REFUSED:
    'Look into the receiver’s log: most often the signature is checked with another secret. Then `jobs retry`.',
  WEBHOOK_UNAVAILABLE: 'Wait: it is tried for three days. Then `jobs retry`.',
};
