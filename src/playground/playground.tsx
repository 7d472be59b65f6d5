import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './playground.css';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN, type GraphiQLProps } from 'graphiql';
import { useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { execute, omitRedundantOperationName } from './execute.js';
import {
  fetchDemoCredentials,
  readStoredCredentials,
  reloadWith,
  type Credentials,
} from './credentials.js';
import { connect, type ConnectionState } from './examples.js';
import { KeyBar } from './key-bar.js';

const PLUGINS = [HISTORY_PLUGIN, explorerPlugin({ showAttribution: false })];
const NO_CREDENTIALS: Credentials = { apiKey: '', workspaceId: '' };

/** Key bar, and GraphiQL once the key is accepted. */
function Playground({ credentials }: { credentials: Credentials | null }) {
  const [connection, setConnection] = useState<ConnectionState | null>(null);

  useEffect(() => {
    if (credentials)
      connect(credentials).then(setConnection, (error: Error) =>
        setConnection({ kind: 'rejected', reason: error.message }),
      );
  }, [credentials]);

  return (
    <>
      <KeyBar credentials={credentials ?? NO_CREDENTIALS} onConnect={reloadWith}>
        {connection?.kind === 'connected' && <span className="caller">{connection.caller}</span>}
        {connection?.kind === 'rejected' && (
          <span className="error" role="alert">
            {connection.reason}
          </span>
        )}
        {credentials && (
          <button
            type="button"
            onClick={() => reloadWith(null)}
            title="Discards everything entered in this tab and reopens the examples"
          >
            Reset
          </button>
        )}
      </KeyBar>
      {connection?.kind === 'connected' && credentials ? (
        <Editor credentials={credentials} connection={connection} />
      ) : (
        <Instructions isConnecting={credentials !== null && connection === null} />
      )}
    </>
  );
}

function Editor({
  credentials,
  connection,
}: {
  credentials: Credentials;
  connection: ConnectionState & { kind: 'connected' };
}) {
  // GraphiQL fills the initial tabs, except for the variables of the active one.
  const [variables] = useState(() =>
    sessionStorage.getItem('graphiql:tabState') === null
      ? connection.examples[0]?.variables
      : undefined,
  );
  const fetcher = useMemo(
    (): GraphiQLProps['fetcher'] => (params) =>
      execute(credentials, omitRedundantOperationName(params)),
    [credentials],
  );
  return (
    <GraphiQL
      fetcher={fetcher}
      storage={sessionStorage}
      defaultTabs={connection.examples}
      initialVariables={variables}
      plugins={PLUGINS}
      isHeadersEditorEnabled={false}
      showPersistHeadersSettings={false}
      defaultEditorToolsVisibility="variables"
      schemaDescription
      inputValueDeprecation
    >
      <GraphiQL.Logo>GraphQL</GraphiQL.Logo>
    </GraphiQL>
  );
}

function Instructions({ isConnecting }: { isConnecting: boolean }) {
  return (
    <main className="welcome">
      {isConnecting ? (
        <p>Connecting …</p>
      ) : (
        <>
          <h1>Playground</h1>
          <p>
            Enter an API key and a workspace ID above. They are kept in this tab only, and deleted
            when you close it.
          </p>
          <p>
            Create a key with <code>npx posts-gateway keys create</code>. The keys of the demo are
            in <code>.data/demo.json</code>.
          </p>
        </>
      )}
    </main>
  );
}

const root = createRoot(document.getElementById('page')!);
void fetchDemoCredentials()
  .catch(() => null)
  .then((demo) => root.render(<Playground credentials={readStoredCredentials() ?? demo} />));
