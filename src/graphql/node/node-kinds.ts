import { isPrefixedId, readPostId } from '../../domain/posts/post-id.js';
import type { GatewayContext } from '../context.js';
import type { ScopeRequirement } from '../requires-scopes.js';

/** A type that `node` finds: how its ids look, how it is read, and the scopes it needs. */
interface NodeKind {
  readonly typeName: string;
  readonly has: (id: string) => boolean;
  readonly scopes: ScopeRequirement;
  readonly find: (id: string, context: GatewayContext) => Promise<{ readonly id: string } | null>;
}

const prefixed =
  (prefix: string) =>
  (id: string): boolean =>
    isPrefixedId(prefix, id);

async function workspace(id: string, { admission, services }: GatewayContext) {
  const own = await services.directory.workspacesOf(admission.caller.user.id);
  return own.find((one) => one.id === id) ?? null;
}

const NODE_KINDS: readonly NodeKind[] = [
  {
    typeName: 'Post',
    scopes: [['posts:read']],
    has: (id) => readPostId(id)?.kind === 'document',
    find: (id, { loaders }) => loaders.postByDocument.load(id.toLowerCase()),
  },
  {
    typeName: 'Account',
    scopes: [['accounts']],
    has: prefixed('acc'),
    find: (id, { loaders }) => loaders.account.load(id),
  },
  {
    typeName: 'User',
    scopes: [['posts:read'], ['workspaces']],
    has: prefixed('usr'),
    find: (id, { loaders }) => loaders.user.load(id),
  },
  { typeName: 'Workspace', scopes: [['workspaces']], has: prefixed('wks'), find: workspace },
  {
    typeName: 'Label',
    scopes: [['posts:read']],
    has: prefixed('lbl'),
    find: (id, { loaders }) => loaders.label.load(id),
  },
  {
    typeName: 'Media',
    scopes: [['media']],
    has: prefixed('med'),
    find: (id, { loaders }) => loaders.media.load(id),
  },
  {
    typeName: 'Job',
    scopes: [['posts:read']],
    has: prefixed('job'),
    find: (id, { loaders }) => loaders.job.load(id),
  },
  {
    typeName: 'Notification',
    scopes: [],
    has: prefixed('ntf'),
    find: (id, { loaders }) => loaders.notification.load(id),
  },
];

/** The type an id is of; undefined for one that is of none, a relational id among them (D3). */
export const kindOfId = (id: string): NodeKind | undefined => NODE_KINDS.find(({ has }) => has(id));
