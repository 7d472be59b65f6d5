import { registerEnumType } from 'type-graphql';
import { ERRORS, type ErrorCode } from '../domain/errors.js';
import { NETWORKS, NETWORK_KINDS } from '../domain/networks/networks.js';
import { SCOPES } from '../domain/access/scopes.js';
import { POST_STATES, STATE_FILTERS } from '../domain/posts/states.js';
import {
  APPLIES_TO,
  DELETE_POLICIES,
  JOB_KINDS,
  JOB_STATUSES,
  ORDER_DIRECTIONS,
  ORDER_FIELDS,
  PLANS,
  POST_TYPES,
  ROLES,
  SYNC_STATUSES,
  wordsOf,
  type Word,
} from '../domain/vocabulary.js';

/** The name of a domain word in GraphQL: upper case, with underscores (`posts:read` → `POSTS_READ`). */
export const enumName = (word: string): string => word.toUpperCase().replace(/[^A-Z0-9]/g, '_');

/** Registers a domain table as an enum: every value is the domain's word, described by its own entry. */
function enumOf<K extends string>(
  name: string,
  description: string,
  table: Readonly<Record<K, Word>>,
): Readonly<Record<string, K>> {
  const words = wordsOf(table);
  const values = Object.fromEntries(words.map((word) => [enumName(word), word]));
  const described = words.map((word) => [
    enumName(word),
    { description: `${table[word].meaning} (${table[word].source})` },
  ]);
  registerEnumType(values, { name, description, valuesConfig: Object.fromEntries(described) });
  return values;
}

const errorWords = Object.fromEntries(
  wordsOf(ERRORS).map((code) => [
    code,
    { meaning: ERRORS[code].meaning, source: `v1 status ${ERRORS[code].status}` },
  ]),
) as Record<ErrorCode, Word>;

export const ScopeEnum = enumOf(
  'Scope',
  'What a key may be used for, fixed when it is made. POSTS implies POSTS_READ and POSTS_WRITE (D5).',
  SCOPES,
);
export const RoleEnum = enumOf('Role', 'What a member is in a workspace (D4).', ROLES);
export const PlanEnum = enumOf(
  'Plan',
  'The plan of a user; a workspace has its owner’s (D34).',
  PLANS,
);
export const NetworkEnum = enumOf('Network', 'A social network (D1).', NETWORKS);
export const NetworkKindEnum = enumOf(
  'NetworkKind',
  'What the interface document calls a network (D1).',
  NETWORK_KINDS,
);
export const PostTypeEnum = enumOf('PostType', 'What a post is made of.', POST_TYPES);
export const PostStateFilterEnum = enumOf(
  'PostStateFilter',
  'What a filter may name: the document’s 27 values. A group takes in all its members (D10).',
  STATE_FILTERS,
);
export const PostStateEnum = enumOf(
  'PostState',
  'What a post carries: always the most specific value (D9).',
  POST_STATES,
);
export const PostOrderFieldEnum = enumOf(
  'PostOrderField',
  'What posts are ordered by; ties go by id (D14).',
  ORDER_FIELDS,
);
export const OrderDirectionEnum = enumOf(
  'OrderDirection',
  'Which end of the order comes first.',
  ORDER_DIRECTIONS,
);
export const JobStatusEnum = enumOf('JobStatus', 'How far a job is (D42).', JOB_STATUSES);
export const JobKindEnum = enumOf('JobKind', 'What a job does.', JOB_KINDS);
export const DeletePolicyEnum = enumOf(
  'DeletePolicy',
  'What happens to the other posts when one may not be deleted (D31).',
  DELETE_POLICIES,
);
export const AppliesToEnum = enumOf('AppliesTo', 'Where a change goes.', APPLIES_TO);
export const NetworkSyncStatusEnum = enumOf(
  'NetworkSyncStatus',
  'How far the last change of a published post has come on its network (D22).',
  SYNC_STATUSES,
);
export const ErrorCodeEnum = enumOf(
  'ErrorCode',
  'Every code of a refusal, with its v1 status; v1 answers with the same codes (D41).',
  errorWords,
);
