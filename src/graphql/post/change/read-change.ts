import type { Problem } from '../../../domain/errors.js';
import { readPatch } from '../../../domain/posts/post-patch.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import type { DeleteRequest } from '../../../services/posts/delete-posts.js';
import type { UpdateRequest } from '../../../services/posts/update-post.js';
import { badUserInput } from '../../schema/connection.js';
import type { DeletePostsInput, UpdatePostInput } from '../post.input.js';

const { deletedIds: MAX_IDS, idempotencyKey: MAX_KEY } = REQUEST_LIMITS;

/** Problems of an idempotency key. */
export function findKeyProblems(key: string | null | undefined): Problem[] {
  if (key == null || (key.length >= 1 && key.length <= MAX_KEY && !key.includes('\0'))) return [];
  return [
    {
      path: ['input', 'idempotencyKey'],
      message: `input.idempotencyKey must have 1 to ${MAX_KEY} characters.`,
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

/** Reads an update. @throws GatewayError BAD_USER_INPUT with every problem (D21) */
export function readUpdate({
  id,
  post,
  expectedVersion,
  idempotencyKey,
  dryRun,
}: UpdatePostInput): UpdateRequest {
  const { patch, problems } = readPatch(post);
  const allProblems = [
    ...problems.map(({ path, message }) => toProblem({ path: ['post', ...path], message })),
    ...findKeyProblems(idempotencyKey),
  ];
  if (allProblems.length > 0) throw badUserInput(allProblems);
  return {
    id,
    patch,
    dryRun,
    ...(expectedVersion != null && { expectedVersion }),
    ...(idempotencyKey != null && { idempotencyKey }),
  };
}

/** Reads a deletion. @throws GatewayError BAD_USER_INPUT with every problem (D30) */
export function readDeletion({
  ids,
  policy,
  onNetwork,
  idempotencyKey,
  dryRun,
}: DeletePostsInput): DeleteRequest {
  const countProblems =
    ids.length >= 1 && ids.length <= MAX_IDS
      ? []
      : [
          {
            path: ['input', 'ids'],
            message: `input.ids must have 1 to ${MAX_IDS} IDs, got ${ids.length}.`,
          },
        ];
  const allProblems = [...countProblems, ...findKeyProblems(idempotencyKey)];
  if (allProblems.length > 0) throw badUserInput(allProblems);
  return { ids, policy, onNetwork, dryRun, ...(idempotencyKey != null && { idempotencyKey }) };
}
