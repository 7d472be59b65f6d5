import { instant } from '../../../domain/input/date-readers.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import { readPatch } from '../../../domain/changes/read-patch.js';
import type { Problem } from '../../../domain/errors.js';
import type { PostPatch } from '../../../domain/posts/post-patch.js';
import type { CreateRequest } from '../../../services/posts/creation/creation-request.js';
import { badUserInput } from '../../connection/connection.js';
import { findKeyProblems, toProblem } from '../change/read-change.js';
import type { PostPatchInput } from '../change/post-patch.input.js';
import type { CreatePostsInput } from './create-posts.input.js';

const { newPosts: MAX_NEW_POSTS } = REQUEST_LIMITS;

/** Reads a creation. @throws GatewayError BAD_USER_INPUT with every problem (D47) */
export function readCreation(input: CreatePostsInput): CreateRequest {
  const { targets, variants, mode, idempotencyKey } = input;
  const problems: Problem[] = [];
  const post = (value: PostPatchInput, ...path: (string | number)[]): PostPatch => {
    const read = readPatch(value);
    problems.push(
      ...read.problems.map(({ path: inPost, message }) => ({
        path: [...path, ...inPost],
        message,
      })),
    );
    return read.patch;
  };
  const time = (value: Date | null | undefined, ...path: (string | number)[]): Date | null =>
    (value && instant(value, path, problems)) ?? null;

  const countProblem = findCountProblem(input);
  if (countProblem) throw badUserInput([toProblem({ path: ['targets'], message: countProblem })]);
  const item = {
    targets: targets.map((target, index) => ({
      accountId: target.accountId,
      scheduledAt: time(target.scheduledAt, 'targets', index, 'scheduledAt'),
      post: target.post ? post(target.post, 'targets', index, 'post') : {},
    })),
    post: post(input.post, 'post'),
    variants: new Map(
      (variants ?? []).map(({ network, post: variant }, index) => [
        network,
        post(variant, 'variants', index, 'post'),
      ]),
    ),
    mode,
    visibility: input.visibility,
    scheduledAt: time(input.scheduledAt, 'scheduledAt'),
  };
  if (input.post.type == null) problems.push({ path: ['post', 'type'], message: 'is required' });
  if (input.visibility !== 'account' && mode !== 'draft')
    problems.push({ path: ['visibility'], message: 'can be sent only in mode DRAFT' });
  problems.push(...findRepeatedVariants(input));
  const allProblems = [...problems.map(toProblem), ...findKeyProblems(idempotencyKey)];
  if (allProblems.length > 0) throw badUserInput(allProblems);
  return {
    items: [item],
    duplicates: input.allowDuplicate ? 'allow' : 'refuse',
    unusedVariants: 'refuse',
    job: 'when_shared',
    policy: input.policy,
    dryRun: input.dryRun,
    ...(idempotencyKey != null && { idempotencyKey }),
  };
}

function findCountProblem({ targets, mode }: CreatePostsInput): string | null {
  if (targets.length === 0 && mode !== 'draft')
    return 'must have an entry: only a draft can be without an account';
  return targets.length > MAX_NEW_POSTS
    ? `may have at most ${MAX_NEW_POSTS} entries; it has ${targets.length}`
    : null;
}

const findRepeatedVariants = ({ variants }: CreatePostsInput): Problem[] =>
  (variants ?? []).flatMap(({ network }, index, all) =>
    all.findIndex((other) => other.network === network) < index
      ? [{ path: ['variants', index, 'network'], message: 'has an earlier variant; send one' }]
      : [],
  );
