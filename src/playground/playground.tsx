import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './playground.css';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN, type GraphiQLProps } from 'graphiql';
import { useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ask, withoutNeedlessName } from './ask.js';
import { readDemo, readTyped, reopen, type Credentials } from './credentials.js';
import { openWith, type Opening } from './examples.js';
import { KeyBar } from './key-bar.js';

const PLUGINS = [HISTORY_PLUGIN, explorerPlugin({ showAttribution: false })];
const NOBODY: Credentials = { apiKey: '', workspaceId: '' };

/** The bar with key and workspace, and GraphiQL once the key opens the gateway. */
function Playground({ credentials }: { credentials: Credentials | null }) {
  const [opening, setOpening] = useState<Opening | null>(null);

  useEffect(() => {
    if (credentials)
      openWith(credentials).then(setOpening, (error: Error) =>
        setOpening({ kind: 'refused', reason: error.message }),
      );
  }, [credentials]);

  return (
    <>
      <KeyBar credentials={credentials ?? NOBODY} onUse={reopen}>
        {opening?.kind === 'open' && <span className="caller">{opening.caller}</span>}
        {opening?.kind === 'refused' && (
          <span className="refusal" role="alert">
            {opening.reason}
          </span>
        )}
        {credentials && (
          <button
            type="button"
            onClick={() => reopen(null)}
            title="Forgets what was typed in this tab and opens the examples again"
          >
            Start afresh
          </button>
        )}
      </KeyBar>
      {opening?.kind === 'open' && credentials ? (
        <Workbench credentials={credentials} opening={opening} />
      ) : (
        <Welcome isWaiting={credentials !== null && opening === null} />
      )}
    </>
  );
}

function Workbench({
  credentials,
  opening,
}: {
  credentials: Credentials;
  opening: Opening & { kind: 'open' };
}) {
  // GraphiQL fills the tabs it opens at first, but for the variables of the one in front.
  const [variables] = useState(() =>
    sessionStorage.getItem('graphiql:tabState') === null
      ? opening.examples[0]?.variables
      : undefined,
  );
  const fetcher = useMemo(
    (): GraphiQLProps['fetcher'] => (params) => ask(credentials, withoutNeedlessName(params)),
    [credentials],
  );
  return (
    <GraphiQL
      fetcher={fetcher}
      storage={sessionStorage}
      defaultTabs={opening.examples}
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

function Welcome({ isWaiting }: { isWaiting: boolean }) {
  return (
    <main className="welcome">
      {isWaiting ? (
        <p>Opening …</p>
      ) : (
        <>
          <h1>Playground</h1>
          <p>
            Type an API key and the id of a workspace above. They stay in this tab, and are
            forgotten when it is closed.
          </p>
          <p>
            A key is made with <code>npx posts-gateway keys create</code>; the demo’s keys are in{' '}
            <code>.data/demo.json</code>.
          </p>
        </>
      )}
    </main>
  );
}

const root = createRoot(document.getElementById('page')!);
readDemo()
  .catch(() => null)
  .then((demo) => root.render(<Playground credentials={readTyped() ?? demo} />));
