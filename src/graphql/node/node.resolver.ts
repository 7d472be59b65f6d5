import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { assertScopes } from '../../domain/access/identity.js';
import { badInput } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../requires-scopes.js';
import { kindOfId } from './node-kinds.js';
import { NodeInterface, type Identified } from './node.type.js';

const MAX_IDS = 100;

/** Unknown, foreign and invisible records are null; of one that is there, the scope of its type is asked. */
async function found(id: string, context: GatewayContext): Promise<Identified | null> {
  const kind = kindOfId(id);
  const record = kind && (await kind.find(id, context));
  if (!record) return null;
  assertScopes(context.admission.caller, kind.scopes);
  return { ...record, __typename: kind.typeName };
}

@Resolver()
export class NodeResolver {
  @Query(() => NodeInterface, {
    nullable: true,
    description:
      'Any record by its id; null where it is unknown, of another workspace, not visible, or the id is relational (D3). The scope of the type found.',
  })
  @RequiresScopes([])
  node(
    @Arg('id', () => ID, { description: 'Its id.' }) id: string,
    @Ctx() context: GatewayContext,
  ): Promise<Identified | null> {
    return found(id, context);
  }

  @Query(() => [NodeInterface], {
    nullable: 'items',
    description: 'Several records, in the order of their ids; each as `node` gives it.',
  })
  @RequiresScopes([])
  nodes(
    @Arg('ids', () => [ID], { description: '1 to 100 ids; anything else is BAD_USER_INPUT.' })
    ids: string[],
    @Ctx() context: GatewayContext,
  ) {
    if (ids.length < 1 || ids.length > MAX_IDS)
      throw badInput([
        { path: ['ids'], message: `ids must have 1 to ${MAX_IDS} ids; it has ${ids.length}.` },
      ]);
    return ids.map((id) => found(id, context));
  }
}
