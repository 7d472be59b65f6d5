import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { assertScopes } from '../../domain/access/workspace-access.js';
import { badUserInput } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../requires-scopes.js';
import { nodeKindOf } from './node-kinds.js';
import { NodeInterface, type NodeRecord } from './node.type.js';

const MAX_IDS = 100;

/**
 * Finds a record; null if it does not exist, belongs to another workspace or is not visible.
 * @throws GatewayError MISSING_SCOPE if the type of the record requires another scope
 */
async function findNode(id: string, context: GatewayContext): Promise<NodeRecord | null> {
  const kind = nodeKindOf(id);
  const record = kind && (await kind.find(id, context));
  if (!record) return null;
  assertScopes(context.authentication.caller, kind.scopes);
  return { ...record, __typename: kind.typeName };
}

@Resolver()
export class NodeResolver {
  @Query(() => NodeInterface, {
    nullable: true,
    description:
      'A record by ID. Null if the ID is unknown, belongs to another workspace, is not visible to the viewer or is a database ID. Requires the scope of the type found.',
  })
  @RequiresScopes([])
  node(
    @Arg('id', () => ID, { description: 'ID of the record.' }) id: string,
    @Ctx() context: GatewayContext,
  ): Promise<NodeRecord | null> {
    return findNode(id, context);
  }

  @Query(() => [NodeInterface], {
    nullable: 'items',
    description: 'Records by ID, in the order of `ids`. Each element is resolved like `node`.',
  })
  @RequiresScopes([])
  nodes(
    @Arg('ids', () => [ID], {
      description: '1 to 100 IDs. Other numbers are rejected with BAD_USER_INPUT.',
    })
    ids: string[],
    @Ctx() context: GatewayContext,
  ) {
    if (ids.length < 1 || ids.length > MAX_IDS)
      throw badUserInput([
        { path: ['ids'], message: `ids must have 1 to ${MAX_IDS} IDs, got ${ids.length}.` },
      ]);
    return ids.map((id) => findNode(id, context));
  }
}
