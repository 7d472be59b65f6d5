import { Field, ID, InterfaceType, Arg, Ctx, Query, Resolver } from 'type-graphql';
import { viewerOf, assertScopes } from '../domain/access/viewer.js';
import { isPrefixedId, readPostId } from '../domain/posts/post.js';
import type { GatewayContext } from './context.js';
import { type ScopeRequirement, RequiresScopes } from './schema/field-decorators.js';
import { badUserInput } from './schema/connection.js';

/** Result of `node`. `__typename` resolves the interface to its object type. */
interface NodeRecord {
  readonly __typename: string;
  readonly id: string;
}

@InterfaceType('Node', {
  description: 'Record with a globally unique ID that `node` resolves.',
  resolveType: ({ __typename }: NodeRecord) => __typename,
})
export class NodeInterface {
  @Field(() => ID, {
    description:
      'ID: 24 hexadecimal digits for a post, otherwise a prefix (`wks_`, `acc_`, `usr_`, `lbl_`, `med_`, `job_`, `ntf_`, `whk_`) followed by letters and digits.',
  })
  id!: string;
}

/**
 * A type that `node` resolves: the format of its IDs, how it is loaded, and the scopes it requires.
 */
interface NodeKind {
  readonly typeName: string;
  readonly matches: (id: string) => boolean;
  readonly scopes: ScopeRequirement;
  readonly find: (id: string, context: GatewayContext) => Promise<{ readonly id: string } | null>;
}

const prefixed =
  (prefix: string) =>
  (id: string): boolean =>
    isPrefixedId(prefix, id);

async function findWorkspace(id: string, { authentication, services }: GatewayContext) {
  const workspaces = await services.workspaceRecords.workspacesOf(authentication.caller.user.id);
  return workspaces.find((workspace) => workspace.id === id) ?? null;
}

const NODE_KINDS: readonly NodeKind[] = [
  {
    typeName: 'Post',
    scopes: [['posts:read']],
    matches: (id) => readPostId(id)?.kind === 'document',
    find: (id, { loaders }) => loaders.postByDocument.load(id.toLowerCase()),
  },
  {
    typeName: 'Account',
    scopes: [['accounts']],
    matches: prefixed('acc'),
    find: (id, { loaders }) => loaders.account.load(id),
  },
  {
    typeName: 'User',
    scopes: [['posts:read'], ['workspaces']],
    matches: prefixed('usr'),
    find: (id, { loaders }) => loaders.user.load(id),
  },
  {
    typeName: 'Workspace',
    scopes: [['workspaces']],
    matches: prefixed('wks'),
    find: findWorkspace,
  },
  {
    typeName: 'Label',
    scopes: [['posts:read']],
    matches: prefixed('lbl'),
    find: (id, { loaders }) => loaders.label.load(id),
  },
  {
    typeName: 'Media',
    scopes: [['media']],
    matches: prefixed('med'),
    find: (id, { loaders }) => loaders.media.load(id),
  },
  {
    typeName: 'Job',
    scopes: [['posts:read']],
    matches: prefixed('job'),
    find: (id, { loaders }) => loaders.job.load(id),
  },
  {
    typeName: 'Notification',
    scopes: [],
    matches: prefixed('ntf'),
    find: (id, { loaders }) => loaders.notification.load(id),
  },
  {
    typeName: 'Webhook',
    scopes: [['webhooks']],
    matches: prefixed('whk'),
    find: (id, { authentication, services }) =>
      services.webhooks.find(viewerOf(authentication), id),
  },
];

/** Type of an ID; undefined if the ID has the format of none, such as a database ID (D3). */
const nodeKindOf = (id: string): NodeKind | undefined =>
  NODE_KINDS.find(({ matches }) => matches(id));

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
