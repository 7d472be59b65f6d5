import { LABEL as LABEL_KEYS } from '../domain/posts/post-settings.js';
import type { Label } from '../domain/posts/post-content.js';
import type { JsonResponse } from '../http/responses.js';
import type { LabelOutcome } from '../services/workspaces/labels.js';
import { presentFields, schemaOf } from './body-fields.js';
import {
  nullableReader,
  objectReader,
  readBody,
  RECORD_ID,
  type BodyReader,
} from '../http/body-readers.js';
import { presentRefusals } from './errors.js';
import { DRY_RUN, withChangeHeaders } from './headers.js';
import { arrayOf, objectOf, ref, TEXT, type JsonSchema } from '../http/json-schema.js';
import { LABEL } from './posts/post-bodies.js';
import { FLAG, PAGE_PARAMS, readParams, singleParam, type QueryParams } from './query-params.js';
import { assertNoProblems, inWorkspace, readPage, type RestRequest, type Route } from './route.js';

const NAME: BodyReader<string> = { schema: TEXT, read: LABEL_KEYS.name.read };
const COLOR: BodyReader<string> = {
  schema: { ...TEXT, pattern: '^#[0-9a-fA-F]{6}$' },
  read: LABEL_KEYS.color.read,
};

/** The bodies of changes of labels. */
export const UPDATE_LABEL_READER = objectReader({
  name: nullableReader(NAME),
  color: nullableReader(COLOR),
});
export const MERGE_LABEL_READER = objectReader({ into_id: RECORD_ID }, ['into_id']);

/** Schemas of labels by component name. */
export const LABEL_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Label: schemaOf(LABEL),
  LabelList: objectOf({ labels: arrayOf(ref('Label')) }),
  DeletedLabel: objectOf({ deleted_id: TEXT }),
  UpdateLabel: UPDATE_LABEL_READER.schema,
  MergeLabel: MERGE_LABEL_READER.schema,
};

const LABEL_PARAMS = {
  dry_run: singleParam(FLAG, 'Checks all rules without changing anything.', true),
} satisfies QueryParams;

/** @throws GatewayError BAD_USER_INPUT with the problems of the query and the body */
function readLabelChange<T>(reader: BodyReader<T>, { query, body }: RestRequest) {
  const { values, problems } = readParams(LABEL_PARAMS, query, 'reject');
  const read = readBody(reader, body);
  assertNoProblems([...problems, ...read.problems]);
  return { value: read.value!, dryRun: values.dry_run ?? false };
}

const presentOutcome = (
  outcome: LabelOutcome,
  dryRun: boolean,
  present: (label: Label) => unknown = (label) => presentFields(LABEL, label),
): JsonResponse =>
  withChangeHeaders(
    outcome.kind === 'refused'
      ? presentRefusals(outcome.refusals, (message) => message.replace(/^intoId/, 'into_id'))
      : { status: 200, body: present(outcome.label) },
    { dryRun, replayed: false },
  );

const CHANGE = {
  tag: 'Labels',
  scopes: [['posts:write']],
  params: LABEL_PARAMS,
  responseHeaders: [DRY_RUN],
} as const;
const RULES = ['FORBIDDEN', 'RULE_VIOLATION'] as const;
const BODY = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

/** Routes of labels, which updates of posts create (D20). */
export const LABEL_ROUTES: readonly Route[] = [
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/labels',
      operationId: 'listLabels',
      tag: 'Labels',
      summary: 'List labels',
      description: 'The labels of the workspace, ordered by name, 100 per page.',
      scopes: [['posts:read']],
      params: PAGE_PARAMS,
      responseSchema: 'LabelList',
    },
    async (viewer, { query }, { services }) => {
      const labels = await services.workspaceRecords.labelPage(viewer, readPage(query));
      return { status: 200, body: { labels: labels.map((label) => presentFields(LABEL, label)) } };
    },
  ),
  inWorkspace(
    {
      ...CHANGE,
      method: 'PUT',
      path: '/v1/labels/{id}',
      operationId: 'updateLabel',
      summary: 'Update label',
      description:
        'Renames or recolors a label on all posts that have it. Keys that are absent or null are kept. Requires post-action access.',
      requestSchema: 'UpdateLabel',
      responseSchema: 'Label',
      errorCodes: [...RULES, ...BODY],
    },
    async (viewer, request, { services }) => {
      const { value, dryRun } = readLabelChange(UPDATE_LABEL_READER, request);
      const { name, color } = value;
      const outcome = await services.labels.update(viewer, {
        id: request.id,
        ...(name && { name }),
        ...(color && { color }),
        dryRun,
      });
      return presentOutcome(outcome, dryRun);
    },
  ),
  inWorkspace(
    {
      ...CHANGE,
      method: 'POST',
      path: '/v1/labels/{id}/merge',
      operationId: 'mergeLabel',
      summary: 'Merge label',
      description:
        'Gives the posts of a label another one instead, and deletes the label. The response is the other label. Requires post-action access.',
      requestSchema: 'MergeLabel',
      responseSchema: 'Label',
      errorCodes: [...RULES, ...BODY],
    },
    async (viewer, request, { services }) => {
      const { value, dryRun } = readLabelChange(MERGE_LABEL_READER, request);
      const merged = { id: request.id, intoId: value.into_id, dryRun };
      return presentOutcome(await services.labels.merge(viewer, merged), dryRun);
    },
  ),
  inWorkspace(
    {
      ...CHANGE,
      method: 'DELETE',
      path: '/v1/labels/{id}',
      operationId: 'deleteLabel',
      summary: 'Delete label',
      description:
        'Removes a label from all posts that have it, and deletes it. Requires post-action access.',
      responseSchema: 'DeletedLabel',
      errorCodes: RULES,
    },
    async (viewer, { id, query }, { services }) => {
      const { values, problems } = readParams(LABEL_PARAMS, query, 'reject');
      assertNoProblems(problems);
      const dryRun = values.dry_run ?? false;
      const outcome = await services.labels.delete(viewer, { id, dryRun });
      return presentOutcome(outcome, dryRun, (label) => ({ deleted_id: label.id }));
    },
  ),
];
