import { useEffect, useRef, useState } from 'react';
import { connect, type Connection } from './connect.js';
import { storeCredentials, type Credentials } from './credentials.js';

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
    const outcome = await connect(credentials).catch((error: Error) => error);
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
