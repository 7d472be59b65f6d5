import type { Problem } from '../../domain/errors.js';
import { codePoints } from '../../domain/input/field-limits.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import type { PostFilter } from '../../domain/posts/post-query.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { unstorableProblems } from '../../domain/input/text-readers.js';
import { badUserInput } from '../connection/connection.js';
import type { PostFilter as PostFilterInput } from './post.input.js';

/** Prevents queries with hundreds of thousands of IDs. */
const MAX_VALUES = 1_000;
/** Replaces malformed IDs: like an unknown ID, it matches nothing (D3, D15). */
const UNMATCHED_ID = '-';

const toMatchableIds = (prefix: string, ids: readonly string[]): string[] =>
  ids.map((id) => (isPrefixedId(prefix, id) ? id : UNMATCHED_ID));

/** Reads the filter of a list. @throws GatewayError BAD_USER_INPUT with every problem */
export function readFilter(input: PostFilterInput): PostFilter {
  const problems = findProblems(input);
  if (problems.length > 0) throw badUserInput(problems);
  const { states, exactStates, types, networks, accountIds, memberId, labelIds } = input;
  const { groupIds, publication, from, to, query } = input;
  return {
    states: states ?? [],
    exactStates: exactStates ?? [],
    types: types ?? [],
    networks: networks ?? [],
    accountIds: toMatchableIds('acc', accountIds ?? []),
    labelIds: toMatchableIds('lbl', labelIds ?? []),
    groupIds: toMatchableIds('grp', groupIds ?? []),
    publication: publication ?? [],
    ...(memberId != null && { memberId: toMatchableIds('usr', [memberId])[0]! }),
    ...(from && { from }),
    ...(to && { to }),
    ...(query && { query }),
  };
}

function findProblems(input: PostFilterInput): Problem[] {
  const problems: Problem[] = [];
  const addProblem = (field: string, message: string): void =>
    void problems.push({ path: ['filter', field], message: `filter.${field} ${message}` });
  for (const field of [
    'states',
    'exactStates',
    'types',
    'networks',
    'accountIds',
    'labelIds',
    'groupIds',
    'publication',
  ] as const) {
    if ((input[field]?.length ?? 0) > MAX_VALUES)
      addProblem(field, `may have at most ${MAX_VALUES} values.`);
  }
  const { from, to, query } = input;
  if (from && to && from > to) addProblem('from', 'must not be after filter.to.');
  if (query && codePoints(query) > REQUEST_LIMITS.query)
    addProblem('query', `may have at most ${REQUEST_LIMITS.query} characters.`);
  if (query && unstorableProblems(query).length > 0)
    addProblem('query', 'must be text without NUL characters and lone surrogates.');
  return problems;
}
