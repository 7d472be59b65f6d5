import './connect-page.css';
import { useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Connection, useConnection } from '../playground/connection.js';
import {
  fetchDemoCredentials,
  readStoredCredentials,
  type Credentials,
} from '../playground/credentials.js';
import { KeyBar } from '../playground/key-bar.js';
import { networkName } from '../playground/network-name.js';
import { Accounts } from './accounts.js';
import { createConnectApi, type Account } from './connect-api.js';
import { NetworkChoice, Outcome, useActions, type Target } from './connecting.js';
import { ConnectLinks } from './connect-links.js';
import { LINK_PAGE, LinkPage } from './link-page.js';

/** The accounts of a workspace, and the networks whose accounts can be connected. */
function Connections({ connection }: { connection: Connection }) {
  const api = useMemo(() => createConnectApi(connection.credentials), [connection]);
  const { overview, actions } = useActions(api);
  const [target, setTarget] = useState<Target | null>(null);
  useEffect(() => setTarget(null), [api]);

  const { run, clear, notice } = actions;
  const ofAccounts = {
    onCheck: (account: Account) =>
      run(async () => {
        const problem = await api.check(account.id);
        return problem === null
          ? { text: `${networkName(account.provider)} accepts ${account.name}.` }
          : { text: problem, isProblem: true };
      }),
    onReconnect: (account: Account): Promise<void> => {
      clear();
      setTarget({ network: account.provider, account });
      return Promise.resolve();
    },
    onDisconnect: (account: Account) =>
      run(async () => {
        await api.disconnect(account.id);
        return { text: `Disconnected ${account.name}.` };
      }),
  };
  return (
    <>
      <Outcome actions={actions} />
      {overview ? (
        <>
          <section aria-labelledby="accounts">
            <h2 id="accounts">Accounts of this workspace</h2>
            <Accounts accounts={overview.accounts} {...ofAccounts} />
          </section>
          <section aria-labelledby="networks">
            <h2 id="networks">Connect an account</h2>
            <NetworkChoice
              api={api}
              actions={actions}
              networks={overview.networks}
              target={target}
              onTarget={setTarget}
            />
          </section>
          <ConnectLinks key={connection.credentials.workspaceId} api={api} overview={overview} />
        </>
      ) : (
        !notice && <p>Loading …</p>
      )}
    </>
  );
}

function Instructions() {
  return (
    <div className="welcome">
      <p>
        Enter an API key with the scopes <code>accounts</code> and <code>connections</code> and a
        workspace ID above. They are kept in this tab only, and deleted when you close it.
      </p>
    </div>
  );
}

function ConnectPage({ initial }: { initial: Credentials | null }) {
  const state = useConnection(initial);
  const { connection } = state;
  return (
    <>
      <KeyBar state={state} />
      <main>
        <h1>Connect accounts</h1>
        {connection ? <Connections connection={connection} /> : <Instructions />}
      </main>
    </>
  );
}

const root = createRoot(document.getElementById('page')!);
if (location.pathname === LINK_PAGE) root.render(<LinkPage />);
else
  void fetchDemoCredentials()
    .catch(() => null)
    .then((demo) => root.render(<ConnectPage initial={readStoredCredentials() ?? demo} />));
