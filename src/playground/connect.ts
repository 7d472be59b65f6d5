import type { Credentials } from './credentials.js';
import { createExamples, type Example } from './examples.js';
import start from './examples/start.graphql?raw';
import viewerQuery from './examples/viewer.graphql?raw';
import { execute } from './fetcher.js';
import type {
  PlaygroundStartQuery,
  PlaygroundStartQueryVariables,
  PlaygroundViewerQuery,
  Scope,
} from './operations/graphql.js';

/** A workspace that the user can choose. */
export interface WorkspaceChoice {
  readonly id: string;
  readonly name: string;
}

/** Accepted credentials, and what the key gives access to. */
export interface Connection {
  readonly credentials: Credentials;
  /** User, role and workspace. */
  readonly caller: string;
  readonly scopes: readonly Scope[];
  /** Workspaces of the user; empty if the key cannot list them. */
  readonly workspaces: readonly WorkspaceChoice[];
  readonly examples: readonly Example[];
}

/**
 * Checks credentials. Without a workspace ID, the first workspace of the user is used.
 * @throws Error with the reason if the gateway rejects them
 */
export async function connect(credentials: Credentials): Promise<Connection> {
  const { viewer } = await query<PlaygroundViewerQuery>(credentials, viewerQuery);
  const { user, role, workspace, scopes } = viewer;
  if (credentials.workspaceId && !workspace)
    throw new Error('The key’s user is not a member of this workspace.');
  const variables: PlaygroundStartQueryVariables = {
    hasWorkspaces: scopes.includes('WORKSPACES'),
    hasPosts: workspace !== null && (scopes.includes('POSTS') || scopes.includes('POSTS_READ')),
  };
  const data = await query<PlaygroundStartQuery>(credentials, start, variables);
  const [first] = data.workspaces ?? [];
  if (!workspace && first) return connect({ ...credentials, workspaceId: first.id });
  return {
    credentials,
    caller: [user.name, role?.toLowerCase(), workspace?.name].filter(Boolean).join(', '),
    scopes,
    workspaces: data.workspaces ?? [],
    examples: createExamples(data),
  };
}

async function query<Data>(
  credentials: Credentials,
  text: string,
  variables: unknown = {},
): Promise<Data> {
  const { data, errors } = await execute<Data>(credentials, { query: text, variables });
  if (!data) throw new Error(errors?.[0]?.message ?? 'The gateway returned an empty response.');
  return data;
}
