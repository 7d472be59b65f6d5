import {
  getNamedType,
  isAbstractType,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { assertScopes } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';
import { createLookAhead } from './look-ahead.js';
import type { SelectedField } from './selected-fields.js';

/**
 * The types that `posts:read` lets a key read, and their fields that the payload of a mutation shows
 * to any key: those that identify a record, and how far it is.
 */
const OPEN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Post: ['id', 'databaseId', 'state', 'version'],
  Label: ['id'],
  Job: ['id', 'kind', 'status', 'progress'],
};

/** Whether the selection on a payload contains a field that only keys with `posts:read` may read. */
function selectsContent(
  field: SelectedField,
  type: GraphQLObjectType,
  schema: GraphQLSchema,
): boolean {
  const open = OPEN_FIELDS[type.name];
  return [...field.fieldsOf(type).values()].some((selected) => {
    if (open) return !open.includes(selected.name) && selected.name !== '__typename';
    const selectedType = getNamedType(type.getFields()[selected.name]?.type);
    const types = isAbstractType(selectedType)
      ? schema.getPossibleTypes(selectedType)
      : [selectedType].filter(isObjectType);
    return types.some((possible) => selectsContent(selected, possible, schema));
  });
}

const payloadSelectsContent = createLookAhead(selectsContent);

/**
 * Lets mutations refuse a key without `posts:read` that selects the content of posts, before they
 * change anything. Otherwise, a change that changes nothing would be a way to read.
 */
export function guardPayloads(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()!.getFields())) {
    const resolve = field.resolve!;
    field.resolve = (source, args, context: GatewayContext, info) => {
      if (payloadSelectsContent(context, info))
        assertScopes(context.authentication.caller, [['posts:read']]);
      return resolve(source, args, context, info) as unknown;
    };
  }
}
