import { Field, ID, ObjectType } from 'type-graphql';
import type { ErrorCode, Problem, Refusal } from '../../domain/errors.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { ErrorCodeEnum } from '../schema/enums.js';
import { optional } from '../schema/descriptions.js';

@ObjectType('UserError', {
  simpleResolvers: true,
  description:
    'Reason why a change was rejected. No part of the change was applied. Malformed input is reported in the `errors` of the response instead.',
})
export class UserErrorObject {
  @Field(() => ErrorCodeEnum, { description: 'Error code.' }) code!: ErrorCode;
  @Field(() => String, { description: 'Description of the problem and of what is allowed.' })
  message!: string;
  @Field(
    () => [String],
    optional('Path in the input. Null if the error concerns the input as a whole.'),
  )
  field!: readonly string[] | null;
  @Field(() => ID, optional('ID of the post that the error concerns, as sent.')) postId!:
    string | null;
  @Field(
    () => String,
    optional(
      'Rule that rejected the change: a section of the interface document (the specification of REST v1), or the number of a decision.',
    ),
  )
  rule!: string | null;
}

/**
 * Codes of refusals whose path starts at `input`; other paths start at the patch in `input.post`.
 */
const INPUT_LEVEL_CODES: ReadonlySet<ErrorCode> = new Set([
  'CONFLICT',
  'DUPLICATE_CONTENT',
  'IDEMPOTENCY_MISMATCH',
]);

/** Converts a refusal of an update to a UserError, with its path starting at `input`. */
export const toUserError = (refusal: Refusal, postId: string): UserErrorObject =>
  INPUT_LEVEL_CODES.has(refusal.code) || refusal.path.length === 0
    ? toPostError(refusal, postId)
    : toPostError({ ...refusal, path: ['post', ...refusal.path] }, postId);

/** Converts a refusal whose path starts at the fields of the input. */
export const toInputError = ({ code, message, path, rule }: Refusal): UserErrorObject => ({
  code,
  message,
  field: path.length > 0 ? ['input', ...path] : null,
  postId: null,
  rule,
});

/** Converts a refusal of a change of one post: without a path, it is about the post itself. */
export const toPostError = (refusal: Refusal, postId: string): UserErrorObject => ({
  ...toInputError(refusal.path.length > 0 ? refusal : { ...refusal, path: ['id'] }),
  postId,
});

/** Problems of an idempotency key. */
export function findKeyProblems(key: string | null | undefined): Problem[] {
  if (
    key == null ||
    (key.length >= 1 && key.length <= REQUEST_LIMITS.idempotencyKey && !key.includes('\0'))
  )
    return [];
  return [
    {
      path: ['input', 'idempotencyKey'],
      message: `input.idempotencyKey must have 1 to ${REQUEST_LIMITS.idempotencyKey} characters.`,
    },
  ];
}

const formatPath = (path: Problem['path']): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);

/** A problem of a mutation's input, with its path in the message. */
export function toProblem({ path, message }: Problem): Problem {
  const inInput = ['input', ...path];
  return { path: inInput, message: `${formatPath(inInput)}: ${message}` };
}
