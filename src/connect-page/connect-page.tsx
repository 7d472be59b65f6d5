import './connect-page.css';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
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
import { Choices } from './choices.js';
import {
  createConnectApi,
  type ConnectTarget,
  type Account,
  type Overview,
  type PendingConnection,
} from './connect-api.js';
import { ConnectLinks } from './connect-links.js';
import { LINK_PAGE, LinkPage } from './link-page.js';
import { NetworkButtons, NetworkForm } from './networks.js';
import { namesOf, noticeOf, returned, type Notice } from './returned.js';

interface Target {
  readonly network: string;
  /** The account to connect again; null for a new one. */
  readonly account: Account | null;
}

/** The accounts of a workspace, and the networks whose accounts can be connected. */
function Connections({ connection }: { connection: Connection }) {
  const api = useMemo(() => createConnectApi(connection.credentials), [connection]);
  const [overview, setOverview] = useState<Overview | null>(null);
  const [pending, setPending] = useState<PendingConnection | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const [notice, setNotice] = useState<Notice | null>(returned.notice);
  const form = useRef<HTMLDivElement>(null);

  const load = useCallback(() => api.overview().then(setOverview), [api]);
  /** Runs an action, tells its result, and shows the accounts as they are then. */
  const run = async (work: () => Promise<Notice>): Promise<void> => {
    setNotice(null);
    try {
      setNotice(await work());
      await load();
    } catch (error) {
      setNotice({ text: (error as Error).message, isProblem: true });
    }
  };

  useEffect(() => {
    setOverview(null);
    setTarget(null);
    void load().catch((error: Error) => setNotice({ text: error.message, isProblem: true }));
    if (returned.id === null) return;
    void api.connection(returned.id).then(
      (found) => {
        setNotice(noticeOf(found));
        setPending(found?.status === 'CHOOSE' ? found : null);
      },
      () => undefined, // a connection of another workspace: the key may have changed
    );
  }, [api, load]);
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, [target]);

  const choose = (next: Target): void => {
    setNotice(null);
    setTarget(next);
  };
  const networkOf = (name: string) => overview!.networks.find(({ network }) => network === name)!;
  const actions = {
    onCheck: (account: Account) =>
      run(async () => {
        const problem = await api.check(account.id);
        return problem === null
          ? { text: `${networkName(account.provider)} accepts ${account.name}.` }
          : { text: problem, isProblem: true };
      }),
    onReconnect: (account: Account): Promise<void> => {
      choose({ network: account.provider, account });
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
      <div role="status" aria-live="polite">
        {notice && <p className={notice.isProblem ? 'problem' : 'done'}>{notice.text}</p>}
      </div>
      {pending && (
        <Choices
          choices={pending.choices}
          onFinish={(ids) =>
            run(async () => {
              const names = await api.finish(pending.id, ids);
              setPending(null);
              return { text: `Connected ${namesOf(names)}.` };
            })
          }
        />
      )}
      {overview ? (
        <>
          <section aria-labelledby="accounts">
            <h2 id="accounts">Accounts of this workspace</h2>
            <Accounts accounts={overview.accounts} {...actions} />
          </section>
          <section aria-labelledby="networks">
            <h2 id="networks">Connect an account</h2>
            <NetworkButtons
              networks={overview.networks}
              chosen={target?.network ?? null}
              onChoose={(network) => choose({ network, account: null })}
            />
            {target && (
              <div ref={form}>
                <NetworkForm
                  key={`${target.network} ${target.account?.id}`}
                  network={networkOf(target.network)}
                  reconnected={target.account?.name ?? null}
                  onConsent={(entered) =>
                    run(async () => {
                      const { network, account } = target;
                      location.assign(
                        await api.start({
                          ...entered,
                          network,
                          accountId: account?.id,
                        } as ConnectTarget),
                      );
                      return { text: `Continue on the page of ${networkName(network)}.` };
                    })
                  }
                  onCredentials={(credentials) =>
                    run(async () => {
                      const { network, account } = target;
                      const name = await api.connectByCredentials(
                        { network, accountId: account?.id },
                        credentials,
                      );
                      setTarget(null);
                      return { text: `Connected ${name}.` };
                    })
                  }
                />
              </div>
            )}
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
