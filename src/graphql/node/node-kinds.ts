import { viewerOf } from '../../domain/access/workspace-access.js';
import { isPrefixedId, readPostId } from '../../domain/posts/post-id.js';
import type { GatewayContext } from '../context.js';
import type { ScopeRequirement } from '../requires-scopes.js';

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
export const nodeKindOf = (id: string): NodeKind | undefined =>
  NODE_KINDS.find(({ matches }) => matches(id));
