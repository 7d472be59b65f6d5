import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './playground.css';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useConnection } from './connection.js';
import { fetchDemoCredentials, readStoredCredentials, type Credentials } from './credentials.js';
import { EditorStorage, areTabsEdited, Editor } from './editor.js';
import { KeyBar } from './key-bar.js';

/** Key bar, and the editor once a key is accepted. The editor stays if another key is rejected. */
function Playground({ initial }: { initial: Credentials | null }) {
  /** Replaced when the editor has to start again with the examples. */
  const [editor, setEditor] = useState(() => ({ key: 0, storage: new EditorStorage() }));
  const reopenExamples = (): void =>
    setEditor(({ key, storage }) => {
      storage.discard();
      return { key: key + 1, storage: new EditorStorage() };
    });
  const state = useConnection(initial, (previous) => {
    // The untouched examples of another workspace have posts that this one does not have.
    if (previous && !areTabsEdited(previous.examples)) reopenExamples();
  });
  const { connection, isConnecting, problem } = state;
  return (
    <>
      <KeyBar state={state}>
        {connection && !problem && (
          <span className="scopes">Scopes: {connection.scopes.join(', ') || 'none'}</span>
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

/** Shown instead of the editor as long as no key is accepted. */
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
            when you close it. Without a workspace ID, you can choose a workspace if the key has the
            scope WORKSPACES.
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
  .then((demo) => root.render(<Playground initial={readStoredCredentials() ?? demo} />));
