import { CONNECTION_STATUSES } from '../../src/domain/connections/connection.js';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { REVIEW_DECISIONS, POST_ACTIONS } from '../../src/domain/actions/post-actions.js';
import { ERRORS } from '../../src/domain/errors.js';
import { JOB_KINDS } from '../../src/domain/jobs/job-kinds.js';
import {
  BATCH_POLICIES,
  DRAFT_VISIBILITIES,
  SHARE_MODES,
} from '../../src/domain/creation/creation-modes.js';
import { LIMIT_UNITS } from '../../src/domain/creation/limit-units.js';
import { DELIVERY_GUARANTEES } from '../../src/domain/networks/network-definition.js';
import { NETWORKS, NETWORK_KINDS } from '../../src/domain/networks/networks.js';
import { PATCH_FIELDS } from '../../src/domain/posts/post-fields.js';
import { SCOPES, API_KINDS } from '../../src/domain/access/viewer.js';
import {
  ACCOUNT_HEALTHS,
  CONNECT_METHODS,
} from '../../src/domain/connections/account-connection.js';
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from '../../src/domain/webhooks/webhook.js';
import { EVENT_TYPES } from '../../src/domain/events/event.js';
import { CHANGE_KINDS } from '../../src/domain/events/post-change.js';
import {
  ERROR_SOURCES,
  PUBLICATION_STATUSES,
} from '../../src/domain/publishing/publication-record.js';
import { WEEKDAYS } from '../../src/domain/publishing/posting-schedule.js';
import { POST_STATES, STATE_FILTERS } from '../../src/domain/posts/states.js';
import * as vocabulary from '../../src/domain/enums.js';
import { printGatewaySchema } from '../../tools/print-schema.js';
import { completeResolvers } from '../../src/graphql/schema/field-decorators.js';
import { buildGatewaySchema, postPatchType } from '../../src/graphql/schema/schema.js';
import { schemaLines } from './schema-lines.js';

const schema = buildGatewaySchema();
const root = path.resolve(__dirname, '../..');

it('is committed as built; if not, run `npm run schema`', () => {
  expect(readFileSync(path.join(root, 'src/graphql/schema.graphql'), 'utf8')).toBe(
    printGatewaySchema(schema),
  );
});

it('contains everything in the contract, with the same names and nullability', () => {
  const contractLines = readFileSync(path.join(root, 'test/fixtures/contract.txt'), 'utf8')
    .trim()
    .split('\n');
  const lines = new Set(schemaLines(schema));
  expect(contractLines.filter((line) => !lines.has(line))).toEqual([]);
  expect(contractLines.length).toBeGreaterThan(400);
});

it('describes every type, field, argument and enum value', () => {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
  const parts = types.flatMap((type) => {
    const at = (name: string, { description }: { description?: string | null }) => ({
      name: `${type.name}.${name}`,
      description,
    });
    if (isEnumType(type)) return [type, ...type.getValues().map((value) => at(value.name, value))];
    if (isInputObjectType(type))
      return [type, ...Object.values(type.getFields()).map((field) => at(field.name, field))];
    if (!isObjectType(type) && !isInterfaceType(type)) return [type];
    const fields = Object.values(type.getFields()).flatMap((field) => [
      at(field.name, field),
      ...field.args.map((arg) => at(`${field.name}(${arg.name})`, arg)),
    ]);
    return [type, ...fields];
  });
  expect(parts.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
});

describe('enums', () => {
  const tables = {
    Scope: SCOPES,
    Role: vocabulary.ROLES,
    Plan: vocabulary.PLANS,
    Network: NETWORKS,
    NetworkKind: NETWORK_KINDS,
    PostType: vocabulary.POST_TYPES,
    PostStateFilter: STATE_FILTERS,
    PostState: POST_STATES,
    JobStatus: vocabulary.JOB_STATUSES,
    JobKind: JOB_KINDS,
    DeletePolicy: vocabulary.DELETE_POLICIES,
    AppliesTo: vocabulary.APPLIES_TO,
    NetworkSyncStatus: vocabulary.SYNC_STATUSES,
    PostOrderField: vocabulary.ORDER_FIELDS,
    OrderDirection: vocabulary.ORDER_DIRECTIONS,
    ErrorCode: ERRORS,
    LimitUnit: LIMIT_UNITS,
    ShareMode: SHARE_MODES,
    DraftVisibility: DRAFT_VISIBILITIES,
    BatchPolicy: BATCH_POLICIES,
    Weekday: WEEKDAYS,
    DeliveryGuarantee: DELIVERY_GUARANTEES,
    PublicationStatus: PUBLICATION_STATUSES,
    ErrorSource: ERROR_SOURCES,
    ChangeKind: CHANGE_KINDS,
    PostAction: POST_ACTIONS,
    ReviewDecision: REVIEW_DECISIONS,
    ApiKind: API_KINDS,
    EventType: EVENT_TYPES,
    ConnectionStatus: CONNECTION_STATUSES,
    ConnectMethod: CONNECT_METHODS,
    AccountHealth: ACCOUNT_HEALTHS,
    WebhookStatus: WEBHOOK_STATUSES,
    DeliveryStatus: DELIVERY_STATUSES,
  };
  it.each(Object.entries(tables))(
    '%s has every key of its domain table in upper case',
    (name, table) => {
      const type = schema.getType(name);
      const values = isEnumType(type)
        ? type.getValues().map((value) => [value.name, value.value])
        : [];
      expect(values).toEqual(
        Object.keys(table).map((key) => [key.toUpperCase().replace(/[:.]/, '_'), key]),
      );
    },
  );

  it('are the only ones', () => {
    const enums = Object.values(schema.getTypeMap()).filter(
      (type) => isEnumType(type) && !type.name.startsWith('__'),
    );
    expect(enums.map(({ name }) => name).sort()).toEqual(Object.keys(tables).sort());
  });
});

it('has exactly the fields of a patch in PostPatch', () => {
  expect(Object.keys(postPatchType(schema).getFields()).sort()).toEqual([...PATCH_FIELDS].sort());
});

it('cannot be built with a root field without @requiresScopes', () => {
  const unguarded = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { secret: { type: GraphQLString } } }),
  });
  expect(() => completeResolvers(unguarded)).toThrow('Missing @requiresScopes on Query.secret');
});
