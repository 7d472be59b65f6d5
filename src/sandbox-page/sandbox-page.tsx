import './sandbox-page.css';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Connection } from '../playground/connect.js';
import {
  fetchDemoCredentials,
  readStoredCredentials,
  type Credentials,
} from '../playground/credentials.js';
import { KeyBar } from '../playground/key-bar.js';
import { useConnection } from '../playground/use-connection.js';
import { Timelines } from './timelines.js';
import { watchSandbox, type SandboxAccount } from './watch-sandbox.js';

function Instructions() {
  return (
    <div className="welcome">
      <p>
        Enter an API key with the scope <code>posts:read</code> and a workspace ID above. They are
        kept in this tab only, and deleted when you close it. The keys of the demo are in{' '}
        <code>.data/demo.json</code>.
      </p>
    </div>
  );
}

/** What the readers of the sandbox network see, while it changes. */
function LiveTimelines({ connection }: { connection: Connection }) {
  const [accounts, setAccounts] = useState<readonly SandboxAccount[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    setAccounts(null);
    return watchSandbox(connection.credentials, {
      onAccounts: setAccounts,
      onProblem: setProblem,
    });
  }, [connection]);
  return (
    <>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {accounts ? <Timelines accounts={accounts} /> : !problem && <p>Loading …</p>}
    </>
  );
}

function SandboxPage({ initial }: { initial: Credentials | null }) {
  const state = useConnection(initial);
  const { connection } = state;
  return (
    <>
      <KeyBar state={state} />
      <main>
        <h1>Sandbox network</h1>
        <p>
          The posts of each sandbox account as readers of its network see them. The page updates
          itself when posts are published, edited or removed. No post leaves the gateway.
        </p>
        {connection ? <LiveTimelines connection={connection} /> : <Instructions />}
      </main>
    </>
  );
}

const root = createRoot(document.getElementById('page')!);
void fetchDemoCredentials()
  .catch(() => null)
  .then((demo) => root.render(<SandboxPage initial={readStoredCredentials() ?? demo} />));
