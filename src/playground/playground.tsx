import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './playground.css';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { connect, type Connection } from './connect.js';
import {
  fetchDemoCredentials,
  readStoredCredentials,
  storeCredentials,
  type Credentials,
} from './credentials.js';
import { Editor } from './editor.js';
import { Instructions } from './instructions.js';
import { KeyBar } from './key-bar.js';
import { areTabsEdited, EditorStorage } from './stored-tabs.js';

const NO_CREDENTIALS: Credentials = { apiKey: '', workspaceId: '' };

/** Key bar, and the editor once a key is accepted. The editor stays if another key is rejected. */
function Playground({ initial }: { initial: Credentials | null }) {
  const [entered, setEntered] = useState(initial ?? NO_CREDENTIALS);
  const [connection, setConnection] = useState<Connection | null>(null);
  const [isConnecting, setIsConnecting] = useState(false);
  const [problem, setProblem] = useState('');
  /** Replaced when the editor has to start again with the examples. */
  const [editor, setEditor] = useState(() => ({ key: 0, storage: new EditorStorage() }));
  const lastAttempt = useRef(0);

  const reopenExamples = (): void =>
    setEditor(({ key, storage }) => {
      storage.discard();
      return { key: key + 1, storage: new EditorStorage() };
    });
  const accept = (accepted: Connection): void => {
    storeCredentials(accepted.credentials);
    setEntered(accepted.credentials);
    setConnection(accepted);
    // The untouched examples of another workspace have posts that this one does not have.
    if (connection && !areTabsEdited(connection.examples)) reopenExamples();
  };
  const connectWith = async (credentials: Credentials): Promise<void> => {
    const attempt = ++lastAttempt.current;
    setProblem('');
    setIsConnecting(true);
    const outcome = await connect(credentials).catch((error: Error) => error);
    if (attempt !== lastAttempt.current) return; // another attempt has started
    setIsConnecting(false);
    if (outcome instanceof Error) setProblem(outcome.message);
    else accept(outcome);
  };
  useEffect(() => {
    if (initial) void connectWith(initial);
  }, []);

  const hasSameKey = connection?.credentials.apiKey === entered.apiKey;
  return (
    <>
      <KeyBar
        credentials={entered}
        workspaces={connection && hasSameKey ? connection.workspaces : []}
        onChange={setEntered}
        onConnect={(credentials) => void connectWith(credentials)}
      >
        {problem ? (
          <span className="error" role="alert">
            {problem}
          </span>
        ) : (
          connection && (
            <>
              <span className="caller">{connection.caller}</span>
              <span className="scopes">Scopes: {connection.scopes.join(', ') || 'none'}</span>
            </>
          )
        )}
        {connection && (
          <button
            type="button"
            onClick={reopenExamples}
            title="Discards all tabs and opens the examples again"
          >
            Reset
          </button>
        )}
      </KeyBar>
      {connection ? (
        <Editor key={editor.key} storage={editor.storage} connection={connection} />
      ) : (
        <Instructions isConnecting={isConnecting} />
      )}
    </>
  );
}

const root = createRoot(document.getElementById('page')!);
void fetchDemoCredentials()
  .catch(() => null)
  .then((demo) => root.render(<Playground initial={readStoredCredentials() ?? demo} />));
