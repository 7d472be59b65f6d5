import type { Problem } from '../../domain/errors.js';
import { codePoints } from '../../domain/input/field-limits.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import type { PostFilter } from '../../domain/posts/post-query.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { unstorable } from '../../domain/input/text-readers.js';
import { badInput } from '../connection/connection.js';
import type { PostFilter as PostFilterInput } from './post.input.js';

/** Keeps one request from asking for a list of a hundred thousand ids. */
const MAX_VALUES = 1_000;
/** Stands for a malformed id: it matches nothing, as an unknown one does (D3, D15). */
const NO_ID = '-';

const known = (prefix: string, ids: readonly string[]): string[] =>
  ids.map((id) => (isPrefixedId(prefix, id) ? id : NO_ID));

/** The filter of a list. @throws GatewayError BAD_USER_INPUT with every problem */
export function readFilter(input: PostFilterInput): PostFilter {
  const problems = problemsOf(input);
  if (problems.length > 0) throw badInput(problems);
  const { states, types, networks, accountIds, memberId, labelIds, from, to, query } = input;
  return {
    states: states ?? [],
    types: types ?? [],
    networks: networks ?? [],
    accountIds: known('acc', accountIds ?? []),
    labelIds: known('lbl', labelIds ?? []),
    ...(memberId != null && { memberId: known('usr', [memberId])[0]! }),
    ...(from && { from }),
    ...(to && { to }),
    ...(query && { query }),
  };
}

function problemsOf(input: PostFilterInput): Problem[] {
  const problems: Problem[] = [];
  const refuse = (field: string, message: string): void =>
    void problems.push({ path: ['filter', field], message: `filter.${field} ${message}` });
  for (const field of ['states', 'types', 'networks', 'accountIds', 'labelIds'] as const) {
    if ((input[field]?.length ?? 0) > MAX_VALUES)
      refuse(field, `may have at most ${MAX_VALUES} values.`);
  }
  const { from, to, query } = input;
  if (from && to && from > to) refuse('from', 'must not be after filter.to.');
  if (query && codePoints(query) > REQUEST_LIMITS.query)
    refuse('query', `may have at most ${REQUEST_LIMITS.query} characters.`);
  if (query && unstorable(query).length > 0)
    refuse('query', 'must be text without NUL characters and lone surrogates.');
  return problems;
}
