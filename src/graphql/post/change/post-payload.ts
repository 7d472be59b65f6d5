import { Field, ID, ObjectType } from 'type-graphql';
import type { ErrorCode, Refusal } from '../../../domain/errors.js';
import { ErrorCodeEnum } from '../../schema/enums.js';
import { JobObject } from '../../job.js';
import { PostObject } from '../post.type.js';
import type {
  DeleteOutcome,
  DeleteResult as DeleteOutcomeResult,
} from '../../../services/posts/delete-posts.js';
import type { UpdateOutcome } from '../../../services/posts/update-post.js';
import type { Job } from '../../../domain/jobs/job.js';
import type { DeletePostsInput, UpdatePostInput } from '../post.input.js';
import { optional } from '../../schema/descriptions.js';

const CLIENT_MUTATION_ID = optional('`clientMutationId` of the input.');

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

@ObjectType({ description: 'Result of `updatePost`.', simpleResolvers: true })
export class UpdatePostPayload {
  @Field(
    () => PostObject,
    optional(
      'Post after the update, or as it would be (dry run). Null if the update was rejected.',
    ),
  )
  post!: PostObject | null;
  @Field(
    () => JobObject,
    optional('Job that sends the change to the network. Null if none is needed, and in a dry run.'),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the update was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, CLIENT_MUTATION_ID) clientMutationId!: string | null;
}

@ObjectType({ description: 'Result of the deletion of a post.', simpleResolvers: true })
class DeleteResult {
  @Field(() => ID, { description: 'ID of the post, as sent.' }) id!: string;
  @Field(() => Boolean, {
    description:
      'Whether the post was deleted, or would be (dry run). False without a `code`: the job deletes the post as soon as its network no longer has it.',
  })
  deleted!: boolean;
  @Field(() => ErrorCodeEnum, optional('Error code. Null if the deletion was accepted.'))
  code!: ErrorCode | null;
  @Field(() => String, optional('Reason why the post was not deleted. Null if it was.')) message!:
    string | null;
}

@ObjectType({ description: 'Result of `deletePosts`.', simpleResolvers: true })
export class DeletePostsPayload {
  @Field(() => [ID], { description: 'IDs of the deleted posts, as sent.' })
  deletedIds!: readonly string[];
  @Field(() => [DeleteResult], {
    description: 'Results, one per distinct post, in the order sent.',
  })
  results!: readonly DeleteResult[];
  @Field(
    () => JobObject,
    optional(
      'Job that removes the posts from their networks and then deletes them. Null without `onNetwork`, if every post was rejected, and in a dry run.',
    ),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description:
      'Reasons why posts were not deleted: one per rejected ID, or a single one if the whole request was rejected.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, CLIENT_MUTATION_ID) clientMutationId!: string | null;
}

/**
 * Codes of refusals whose path starts at `input`; other paths start at the patch in `input.post`.
 */
const INPUT_LEVEL_CODES: ReadonlySet<ErrorCode> = new Set(['CONFLICT', 'IDEMPOTENCY_MISMATCH']);

/** Converts a refusal to a UserError, with its path starting at `input`. */
const toUserError = (
  { code, message, path, rule }: Refusal,
  postId: string | null,
): UserErrorObject => {
  const prefix = INPUT_LEVEL_CODES.has(code) ? ['input'] : ['input', 'post'];
  return { code, message, field: path.length > 0 ? [...prefix, ...path] : null, postId, rule };
};

/** Converts a refusal whose path starts at the fields of the input. */
export const toInputError = ({ code, message, path, rule }: Refusal): UserErrorObject => ({
  code,
  message,
  field: path.length > 0 ? ['input', ...path] : null,
  postId: null,
  rule,
});

/** Converts the outcome of an update to an UpdatePostPayload. */
export function presentUpdate(outcome: UpdateOutcome, { id, clientMutationId }: UpdatePostInput) {
  const [post, job, refusals] =
    outcome.kind === 'updated' ? [outcome.post, outcome.job, []] : [null, null, outcome.refusals];
  return {
    post,
    job,
    userErrors: refusals.map((refusal) => toUserError(refusal, id)),
    clientMutationId,
  };
}

const isRefused = ({ code }: DeleteOutcomeResult): boolean => code !== null;

/** Converts the outcome of a deletion to a DeletePostsPayload. */
export function presentDeletion(
  outcome: DeleteOutcome,
  { ids, clientMutationId }: DeletePostsInput,
): Omit<DeletePostsPayload, 'job'> & { job: Job | null } {
  const returnedMutationId = clientMutationId ?? null;
  if (outcome.kind === 'refused') {
    return {
      deletedIds: [],
      results: [],
      job: null,
      userErrors: outcome.refusals.map((refusal) => toUserError(refusal, null)),
      clientMutationId: returnedMutationId,
    };
  }
  const userErrors = outcome.results
    .filter(isRefused)
    .map(({ id, code, message }): UserErrorObject => ({
      code: code!,
      message: message ?? '',
      field: ['input', 'ids', String(ids.indexOf(id))],
      postId: id,
      rule: null,
    }));
  return {
    deletedIds: outcome.results.filter(({ deleted }) => deleted).map(({ id }) => id),
    results: outcome.results,
    job: outcome.job,
    userErrors,
    clientMutationId: returnedMutationId,
  };
}
