import { registerEnumType } from 'type-graphql';
import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';
import { TIME_FORM, toTime } from '../../domain/input/readers.js';
import { REVIEW_DECISIONS, POST_ACTIONS } from '../../domain/actions/post-actions.js';
import { ERRORS, type ErrorCode } from '../../domain/errors.js';
import { JOB_KINDS } from '../../domain/jobs/job-kinds.js';
import {
  BATCH_POLICIES,
  DRAFT_VISIBILITIES,
  SHARE_MODES,
} from '../../domain/creation/creation-modes.js';
import { LIMIT_UNITS } from '../../domain/creation/limit-units.js';
import { NETWORKS, NETWORK_KINDS } from '../../domain/networks/networks.js';
import { API_KINDS, SCOPES } from '../../domain/access/viewer.js';
import { EVENT_TYPES } from '../../domain/events/event.js';
import { CHANGE_KINDS } from '../../domain/events/post-change.js';
import { CONNECTION_STATUSES } from '../../domain/connections/connection.js';
import { ACCOUNT_HEALTHS, CONNECT_METHODS } from '../../domain/connections/account-connection.js';
import { DELIVERY_GUARANTEES } from '../../domain/networks/network-definition.js';
import { ERROR_SOURCES, PUBLICATION_STATUSES } from '../../domain/publishing/publication-record.js';
import { WEEKDAYS } from '../../domain/publishing/posting-schedule.js';
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from '../../domain/webhooks/webhook.js';
import { POST_STATES, STATE_FILTERS } from '../../domain/posts/states.js';
import {
  APPLIES_TO,
  DELETE_POLICIES,
  JOB_STATUSES,
  ORDER_DIRECTIONS,
  ORDER_FIELDS,
  PLANS,
  POST_TYPES,
  ROLES,
  SYNC_STATUSES,
  enumKeys,
  type VocabularyEntry,
} from '../../domain/enums.js';

/**
 * GraphQL name of a domain enum key, in upper case with underscores: `posts:read` → `POSTS_READ`.
 */
export const enumName = (key: string): string => key.toUpperCase().replace(/[^A-Z0-9]/g, '_');

/**
 * Registers a domain table as a GraphQL enum. Internal values are the keys of the table; each entry
 * has its description.
 */
function registerEnum<K extends string>(
  name: string,
  description: string,
  table: Readonly<Record<K, Pick<VocabularyEntry, 'description'>>>,
): Readonly<Record<string, K>> {
  const keys = enumKeys(table);
  const values = Object.fromEntries(keys.map((key) => [enumName(key), key]));
  const valuesConfig = Object.fromEntries(
    keys.map((key) => [enumName(key), { description: table[key].description }]),
  );
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}

const errorEntries = Object.fromEntries(
  enumKeys(ERRORS).map((code) => [
    code,
    { description: `${ERRORS[code].description} HTTP status in v1: ${ERRORS[code].status}.` },
  ]),
) as Record<ErrorCode, { description: string }>;

// GraphQL enums. Each is the map of enum names to internal values that TypeGraphQL's decorators
// expect.
export const ScopeEnum = registerEnum(
  'Scope',
  'Permission of an API key, fixed when the key is created. POSTS implies POSTS_READ and POSTS_WRITE.',
  SCOPES,
);
export const RoleEnum = registerEnum('Role', 'Role of a member in a workspace.', ROLES);
export const PlanEnum = registerEnum(
  'Plan',
  'Subscription plan of a user. A workspace has the plan of its owner.',
  PLANS,
);
export const NetworkEnum = registerEnum('Network', 'Social network.', NETWORKS);
export const NetworkKindEnum = registerEnum(
  'NetworkKind',
  'Generic name of a network, as used in the interface document, the specification of REST v1.',
  NETWORK_KINDS,
);
export const PostTypeEnum = registerEnum('PostType', 'Content type of a post.', POST_TYPES);
export const PostStateFilterEnum = registerEnum(
  'PostStateFilter',
  'State to filter posts by: a state or a group of states. A group matches all of its members.',
  STATE_FILTERS,
);
export const PostStateEnum = registerEnum(
  'PostState',
  'State of a post, always the most specific one.',
  POST_STATES,
);
export const PostOrderFieldEnum = registerEnum(
  'PostOrderField',
  'Field to order posts by. Ties are ordered by ID.',
  ORDER_FIELDS,
);
export const OrderDirectionEnum = registerEnum(
  'OrderDirection',
  'Sort direction.',
  ORDER_DIRECTIONS,
);
export const JobStatusEnum = registerEnum('JobStatus', 'Status of a job.', JOB_STATUSES);
export const JobKindEnum = registerEnum('JobKind', 'Kind of work that a job does.', JOB_KINDS);
export const DeletePolicyEnum = registerEnum(
  'DeletePolicy',
  'How a deletion proceeds when some of the posts cannot be deleted.',
  DELETE_POLICIES,
);
export const AppliesToEnum = registerEnum(
  'AppliesTo',
  'Where a change is applied: in the gateway only, or on the network as well.',
  APPLIES_TO,
);
export const NetworkSyncStatusEnum = registerEnum(
  'NetworkSyncStatus',
  'Status of the last update of a published post on its network.',
  SYNC_STATUSES,
);
export const PublicationStatusEnum = registerEnum(
  'PublicationStatus',
  'Progress of the publication of a post.',
  PUBLICATION_STATUSES,
);
export const ErrorSourceEnum = registerEnum(
  'ErrorSource',
  'Cause of a publication error.',
  ERROR_SOURCES,
);
export const ErrorCodeEnum = registerEnum(
  'ErrorCode',
  'Error code, with its HTTP status in REST v1. Both APIs use the same codes.',
  errorEntries,
);

export const ApiKindEnum = registerEnum('ApiKind', 'How a change reached the gateway.', API_KINDS);
export const EventTypeEnum = registerEnum('EventType', 'What happened.', EVENT_TYPES);
export const ChangeKindEnum = registerEnum(
  'ChangeKind',
  'What happened to a post in the list of the viewer.',
  CHANGE_KINDS,
);
export const LimitUnitEnum = registerEnum(
  'LimitUnit',
  'Unit in which a network counts.',
  LIMIT_UNITS,
);
export const DeliveryGuaranteeEnum = registerEnum(
  'DeliveryGuarantee',
  'How the gateway avoids publishing a post twice after a call without a response.',
  DELIVERY_GUARANTEES,
);
export const ShareModeEnum = registerEnum(
  'ShareMode',
  'Whether posts become drafts, are scheduled or are published immediately.',
  SHARE_MODES,
);
export const DraftVisibilityEnum = registerEnum(
  'DraftVisibility',
  'Who can see a draft.',
  DRAFT_VISIBILITIES,
);
export const BatchPolicyEnum = registerEnum(
  'BatchPolicy',
  'How a mutation treats posts that are rejected.',
  BATCH_POLICIES,
);
export const WeekdayEnum = registerEnum('Weekday', 'Day of the week.', WEEKDAYS);
export const ReviewDecisionEnum = registerEnum(
  'ReviewDecision',
  'Decision about posts that need approval.',
  REVIEW_DECISIONS,
);
export const PostActionEnum = registerEnum(
  'PostAction',
  'Action that members can perform on posts.',
  POST_ACTIONS,
);
export const ConnectMethodEnum = registerEnum(
  'ConnectMethod',
  'How an account is connected with its network.',
  CONNECT_METHODS,
);
export const ConnectionStatusEnum = registerEnum(
  'ConnectionStatus',
  'How far a connection by consent has come.',
  CONNECTION_STATUSES,
);
export const AccountHealthEnum = registerEnum(
  'AccountHealth',
  'Whether the gateway can use an account.',
  ACCOUNT_HEALTHS,
);
export const WebhookStatusEnum = registerEnum(
  'WebhookStatus',
  'Whether a webhook receives events.',
  WEBHOOK_STATUSES,
);
export const DeliveryStatusEnum = registerEnum(
  'DeliveryStatus',
  'What became of a message of a webhook.',
  DELIVERY_STATUSES,
);

/** @throws TypeError if the value is no time, or has no zone, which is required (D8) */
function readDateTime(value: unknown): Date {
  if (value instanceof Date) return value;
  const text = typeof value === 'string' ? toTime(value) : null;
  if (text === null)
    throw new TypeError(`DateTime must be ${TIME_FORM}, not ${JSON.stringify(value)}.`);
  return new Date(text);
}

/** A time with a zone, as REST v1 reads it. */
export const DateTime = new GraphQLScalarType<Date, Date>({
  ...GraphQLDateTime.toConfig(),
  description:
    'Time with a zone, such as 2026-05-01T09:00:00Z or 2026-05-01T09:00+02:00. Responses contain UTC with milliseconds, as in RFC 3339.',
  parseValue: readDateTime,
  parseLiteral: (node) => readDateTime('value' in node ? node.value : null),
});
/** Any JSON value. */
export const Json = GraphQLJSON;
