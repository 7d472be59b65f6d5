import { useState, useRef, useEffect } from 'react';
import { storeCredentials, type Credentials } from './credentials.js';
import { createExamples, type Example } from './examples.js';
import start from './examples/start.graphql?raw';
import viewerQuery from './examples/viewer.graphql?raw';
import { execute } from './fetcher.js';
import type {
  Scope,
  PlaygroundViewerQuery,
  PlaygroundStartQueryVariables,
  PlaygroundStartQuery,
} from './operations/graphql.js';

/** A workspace that the user can choose. */
interface WorkspaceChoice {
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
async function connect(credentials: Credentials): Promise<Connection> {
  const { viewer } = await query<PlaygroundViewerQuery>(credentials, viewerQuery);
  const { user, role, workspace, scopes } = viewer;
  if (credentials.workspaceId && !workspace) throw new NotAMember();
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

/** The key is accepted, and not for the workspace. */
class NotAMember extends Error {
  constructor() {
    super('The key’s user is not a member of this workspace.');
  }
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

const NO_CREDENTIALS: Credentials = { apiKey: '', workspaceId: '' };

/** What is entered in the key bar, and what it led to. */
export interface ConnectionState {
  readonly entered: Credentials;
  /** With the last key that was accepted; it stays if another key is rejected. */
  readonly connection: Connection | null;
  readonly isConnecting: boolean;
  /** Why the last key was rejected; empty if it was not. */
  readonly problem: string;
  enter(credentials: Credentials): void;
  connect(credentials: Credentials): void;
}

/**
 * Connects with the credentials that a page starts with, and with those that are entered later.
 * `onAccepted` gets the connection before the new one.
 */
export function useConnection(
  initial: Credentials | null,
  onAccepted: (previous: Connection | null) => void = () => undefined,
): ConnectionState {
  const [entered, enter] = useState(initial ?? NO_CREDENTIALS);
  const [connection, setConnection] = useState<Connection | null>(null);
  const [isConnecting, setIsConnecting] = useState(false);
  const [problem, setProblem] = useState('');
  const lastAttempt = useRef(0);

  const connectWith = async (credentials: Credentials): Promise<void> => {
    const attempt = ++lastAttempt.current;
    setProblem('');
    setIsConnecting(true);
    const outcome = await connect(credentials)
      .catch((error: Error) => {
        // The workspace may be left over from the key before.
        const isOther = connection !== null && connection.credentials.apiKey !== credentials.apiKey;
        if (!isOther || !(error instanceof NotAMember)) throw error;
        return connect({ ...credentials, workspaceId: '' });
      })
      .catch((error: Error) => error);
    if (attempt !== lastAttempt.current) return; // another attempt has started
    setIsConnecting(false);
    if (outcome instanceof Error) return setProblem(outcome.message);
    storeCredentials(outcome.credentials);
    enter(outcome.credentials);
    setConnection(outcome);
    onAccepted(connection);
  };
  useEffect(() => {
    if (initial) void connectWith(initial);
  }, []);

  return {
    entered,
    connection,
    isConnecting,
    problem,
    enter,
    connect: (credentials) => void connectWith(credentials),
  };
}
