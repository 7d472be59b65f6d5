import './sandbox-page.css';
import { useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useConnection } from '../playground/connection.js';
import {
  fetchDemoCredentials,
  readStoredCredentials,
  type Credentials,
} from '../playground/credentials.js';
import { KeyBar } from '../playground/key-bar.js';
import { Clock } from './clock.js';
import { ScheduledPosts } from './scheduled-posts.js';
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
function LiveTimelines({ credentials }: { credentials: Credentials }) {
  const [accounts, setAccounts] = useState<readonly SandboxAccount[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** Counts the moves of the clock. */
  const [moves, setMoves] = useState(0);
  useEffect(
    () => watchSandbox(credentials, { onAccounts: setAccounts, onProblem: setProblem }),
    [credentials, moves],
  );
  const revision = useMemo(() => ({}), [accounts, moves]);
  return (
    <>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {accounts ? (
        <>
          <Clock credentials={credentials} onMoved={() => setMoves(moves + 1)} />
          <ScheduledPosts credentials={credentials} revision={revision} />
          <Timelines accounts={accounts} credentials={credentials} />
        </>
      ) : (
        !problem && <p>Loading …</p>
      )}
    </>
  );
}

function SandboxPage({ initial }: { initial: Credentials | null }) {
  const state = useConnection(initial);
  const { connection, isConnecting, problem } = state;
  /** Of another key than the one above, posts would mislead. */
  const shown = connection && !problem && !isConnecting ? connection.credentials : null;
  return (
    <>
      <KeyBar state={state} />
      <main>
        <h1>Sandbox network</h1>
        <p>
          The posts of each sandbox account as readers of its network see them. The page updates
          itself when posts are published, edited or removed. No post leaves the gateway. Open the
          ID of a post to see its state in the gateway, and to make its next calls fail.
        </p>
        {shown && (
          <LiveTimelines key={`${shown.apiKey} ${shown.workspaceId}`} credentials={shown} />
        )}
        {!shown && (isConnecting ? <p>Connecting …</p> : <Instructions />)}
      </main>
    </>
  );
}

const root = createRoot(document.getElementById('page')!);
void fetchDemoCredentials()
  .catch(() => null)
  .then((demo) => root.render(<SandboxPage initial={readStoredCredentials() ?? demo} />));
