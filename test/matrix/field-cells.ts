import {
  fieldOf,
  PATCH_FIELDS,
  type PatchField,
  type PostPatch,
} from '../../src/domain/posts/post-fields.js';
import type { TestGateway } from '../fixtures/gateway.js';
import { snake, type Api, type Outcome } from '../parity/api.js';
import { graphqlApi } from '../parity/graphql-api.js';
import { restApi } from '../parity/rest-api.js';
import type { DemoCaller, DemoPost } from './matrix-gateway.js';
import { NEW_VALUES } from './new-values.js';
import type { Rights, RightsReader } from './rights.js';
import type { CellCheck } from './run-cells.js';
import { drawNumber } from './seeded-order.js';

/** One field of one post, and a caller who changes it. */
export interface FieldCell {
  readonly caller: DemoCaller;
  readonly post: DemoPost;
  readonly field: PatchField;
  readonly value: 'new' | 'longest' | 'too long';
}

interface FieldForecast {
  readonly rights: Rights;
  readonly graphql: Outcome;
  readonly rest: Outcome;
}

const TEXT_FIELDS = [
  'text',
  'title',
  'excerpt',
  'question',
] as const satisfies readonly PatchField[];
/**
 * Every field of every post with every key; with a key that cannot change posts, one field of
 * each post. The owner also sends texts of the longest length, and of one more.
 */
export function fieldCellsOf(callers: readonly DemoCaller[]): FieldCell[] {
  return callers.flatMap((caller) =>
    caller.posts.flatMap((post, index): FieldCell[] => {
      if (!caller.mayChangePosts) {
        const field = PATCH_FIELDS[index % PATCH_FIELDS.length]!;
        return [{ caller, post, field, value: 'new' }];
      }
      const lengths = caller.keyName === 'owner' ? (['longest', 'too long'] as const) : [];
      return [
        ...PATCH_FIELDS.map((field) => ({ caller, post, field, value: 'new' as const })),
        ...lengths.flatMap((value) => TEXT_FIELDS.map((field) => ({ caller, post, field, value }))),
      ];
    }),
  );
}

export const nameOfFieldCell = ({ caller, post, field, value }: FieldCell): string =>
  `${caller.workspaceName}, ${caller.keyName}, post ${post.databaseId} (${post.network} ${post.type}, ${post.storedState}), ${value} ${field}`;

/** The rule names of editability that have a code of their own. */
const CODES: Readonly<Record<string, string>> = { D19: 'FORBIDDEN', D24: 'APPROVAL_REQUIRED' };

/** Ids of labels and media that the change creates. */
const CREATED_IDS = /\b(?:(?:(l)bl|(m)ed)_[0-9A-Za-z]{16}|dry_run_(?:(l)abel|(m)edia)_\d+)\b/g;
const bodyOf = (outcome: Outcome & { kind: 'ok' }): string =>
  JSON.stringify(outcome.body).replace(CREATED_IDS, '$1$2$3$4');
/** The parts of an answer that are equal in all three calls. */
const answerOf = (outcome: Outcome): string =>
  outcome.kind === 'ok'
    ? `accepted ${bodyOf(outcome)}`
    : `${outcome.code} ${outcome.messages.join(' ')}`;
/** A network with a single type: the new type is the old one, which is no change. */
const isUnchanged = ({ post, field }: FieldCell): boolean =>
  field === 'type' && NEW_VALUES.type(post) === post.type;
const isInV1 = ({ field }: FieldCell): boolean => !fieldOf(field).isGraphqlOnly;
const isOccurrence = ({ caller, post }: FieldCell, databaseId: string | null): boolean =>
  caller.posts.some(
    (other) => other.databaseId === databaseId && other.parentId === post.databaseId,
  );
/** A reason is about the field `details`, a refusal about one of its settings. */
const subjectOf = (message: string): string => message.replace(/^details\.\w+/, 'details');

function disagreementsWithRights(cell: FieldCell, rights: Rights, answer: Outcome): string[] {
  const { caller, field, value } = cell;
  const got = answer.kind === 'ok' ? 'accepted' : answerOf(answer);
  if (!caller.mayChangePosts)
    return answer.kind === 'refused' ? [] : ['a key without the rights may change the post'];
  // The format of a request is checked before the post is read.
  const isMalformed = value === 'too long';
  if (rights.kind === 'unreadable')
    return answer.kind === 'refused' && (isMalformed || answer.code === rights.code)
      ? []
      : [`the post cannot be read (${rights.code}), but the dry run answers: ${got}`];
  const { allowed, reason, rule, maxLength } = rights.editability.get(field)!;
  if (isUnchanged(cell) && rule !== 'D19')
    return answer.kind === 'ok' ? [] : [`nothing would change; dry run: ${got}`];
  if (!allowed) {
    const expected = `${CODES[rule!] ?? 'RULE_VIOLATION'} ${snake(reason!)}`;
    const refusal =
      answer.kind === 'refused' ? `${answer.code} ${subjectOf(answer.messages[0] ?? '')}` : got;
    return value !== 'new' || refusal === expected
      ? []
      : [`editability: ${expected}; dry run: ${got}`];
  }
  if (value !== 'too long')
    return answer.kind === 'ok' ? [] : [`editability allows it; dry run: ${got}`];
  if (maxLength === null) return [`editability has no maxLength; dry run: ${got}`];
  return answer.kind === 'ok' ? [`more than ${maxLength} characters are accepted`] : [];
}

/** How a change of a field is checked: `editability`, two dry runs and the real call. */
export function fieldCheck(
  gateway: TestGateway,
  readRights: RightsReader,
): CellCheck<FieldCell, FieldForecast, Outcome> {
  const apis = { graphql: graphqlApi(gateway), rest: restApi(gateway) };

  async function patchOf({ caller, post, field, value }: FieldCell): Promise<PostPatch> {
    if (value === 'new') return { [field]: NEW_VALUES[field](post) };
    const rights = await readRights(caller, post.id);
    const limit =
      (rights.kind === 'readable' && rights.editability.get(field)!.maxLength) ||
      fieldOf(field).limit!.maxLength!;
    // A character of two UTF-16 units: limits are in code points.
    return { [field]: '𝄞'.repeat(value === 'longest' ? limit : limit + 1) };
  }
  const send = async (api: Api, cell: FieldCell, dryRun: boolean): Promise<Outcome> =>
    api.update(cell.caller.viewer, cell.post.id, await patchOf(cell), { dryRun });

  return {
    nameOf: nameOfFieldCell,
    forecast: async (cell) => ({
      rights: await readRights(cell.caller, cell.post.id),
      graphql: await send(apis.graphql, cell, true),
      rest: await send(apis.rest, cell, true),
    }),
    isRefused: ({ graphql }) => graphql.kind === 'refused',
    change: (cell) => {
      const isRest = isInV1(cell) && drawNumber(nameOfFieldCell(cell)) % 2 === 1;
      return send(isRest ? apis.rest : apis.graphql, cell, false);
    },
    compare(cell, { rights, graphql, rest }, { result, changes }) {
      const problems = disagreementsWithRights(cell, rights, graphql);
      const expected = answerOf(graphql);
      const differs = (name: string, answer: string): string[] =>
        answer === expected ? [] : [`dry run of GraphQL: ${expected}; ${name}: ${answer}`];
      if (isInV1(cell)) problems.push(...differs('dry run of REST v1', answerOf(rest)));
      else if (rest.kind === 'ok') problems.push('REST v1 accepts a field that it does not have');
      problems.push(...differs('real call', answerOf(result)));
      if (result.kind !== 'ok' || rights.kind !== 'readable') return problems;
      const { appliesTo } = rights.editability.get(cell.field)!;
      if (result.hasJob !== (appliesTo === 'SERVICE_AND_NETWORK'))
        problems.push(
          `editability: ${appliesTo}; the real call ${result.hasJob ? 'has a' : 'has no'} job`,
        );
      const changedPosts = changes.filter(({ table }) => table === 'post');
      if (changedPosts.some(({ id }) => id === cell.post.databaseId) === isUnchanged(cell))
        problems.push(`the real call changed ${JSON.stringify(changes)}`);
      const others = changedPosts.filter(
        ({ kind, id }) =>
          kind !== 'insert' && id !== cell.post.databaseId && !isOccurrence(cell, id),
      );
      if (others.length > 0)
        problems.push(`the real call changed other posts: ${JSON.stringify(others)}`);
      return problems;
    },
  };
}
