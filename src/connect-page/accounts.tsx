import { useRef, useState } from 'react';
import { networkName } from '../playground/network-name.js';
import type { Account, Health } from './connect-api.js';

const HEALTH: Readonly<Record<Health, string>> = {
  OK: 'Connected',
  EXPIRING: 'Connect again soon',
  NEEDS_REAUTHORIZATION: 'Connect again',
  DISCONNECTED: 'Not connected',
  UNREACHABLE: 'No answer',
};

/** A time in the zone and language of the browser. */
export const toLocalTime = (time: string): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A picture of an account, or its initial: networks may not have one, or not serve it. */
export function Picture({ url, name }: { url: string | null; name: string }) {
  const [isBroken, setIsBroken] = useState(false);
  if (url === null || isBroken)
    return (
      <span className="picture" aria-hidden="true">
        {[...name.replace(/^@/, '')][0]?.toUpperCase()}
      </span>
    );
  return (
    <img className="picture" src={url} alt="" loading="lazy" onError={() => setIsBroken(true)} />
  );
}

/** What the page knows of the connection, in sentences. */
function ConnectionFacts({ account: { sandbox, connection } }: { account: Account }) {
  if (sandbox) return <p className="facts">On the sandbox network: needs no connection.</p>;
  if (!connection) return <p className="facts">This account was never connected.</p>;
  const { message, expiresAt, renewsItself, checkedAt } = connection;
  return (
    <>
      {message && <p className="facts message">{message}</p>}
      {expiresAt && (
        <p className="facts">
          {renewsItself ? 'Renewed by the gateway before ' : 'The access ends on '}
          <time dateTime={expiresAt}>{toLocalTime(expiresAt)}</time>.
        </p>
      )}
      {checkedAt && (
        <p className="facts">
          Checked <time dateTime={checkedAt}>{toLocalTime(checkedAt)}</time>.
        </p>
      )}
    </>
  );
}

interface AccountActions {
  onCheck(account: Account): Promise<void>;
  /** Connects the account again, in the way in which it was connected. */
  onReconnect(account: Account): Promise<void>;
  onDisconnect(account: Account): Promise<void>;
}

function AccountItem({ account, actions }: { account: Account; actions: AccountActions }) {
  const [isBusy, setIsBusy] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const { id, name, provider, picture, sandbox, connection } = account;
  const health: Health = connection?.health ?? 'DISCONNECTED';
  const run = (work: (account: Account) => Promise<void>) => () => {
    setIsBusy(true);
    void work(account).finally(() => setIsBusy(false));
  };
  return (
    <li className="account" data-account-id={id} aria-busy={isBusy}>
      <Picture url={picture} name={name} />
      <div className="about">
        <h3>
          <bdi>{name}</bdi> <span className="network">{networkName(provider)}</span>
        </h3>
        <ConnectionFacts account={account} />
      </div>
      {!sandbox && (
        <>
          <strong className={`health ${health.toLowerCase()}`}>{HEALTH[health]}</strong>
          <div className="buttons" role="group" aria-label={name}>
            {connection && health !== 'DISCONNECTED' && (
              <button type="button" disabled={isBusy} onClick={run(actions.onCheck)}>
                Check now
              </button>
            )}
            <button type="button" disabled={isBusy} onClick={run(actions.onReconnect)}>
              {health === 'DISCONNECTED' ? 'Connect' : 'Connect again'}
            </button>
            {connection && health !== 'DISCONNECTED' && (
              <button type="button" disabled={isBusy} onClick={() => dialog.current!.showModal()}>
                Disconnect
              </button>
            )}
          </div>
        </>
      )}
      <dialog ref={dialog} aria-labelledby={`disconnect-${id}`}>
        <form method="dialog">
          <h3 id={`disconnect-${id}`}>
            Disconnect <bdi>{name}</bdi>?
          </h3>
          <p>
            The gateway deletes its access to the account. Posts that are scheduled for the account
            stay, and wait until it is connected again.
          </p>
          <div className="buttons">
            <button type="submit" onClick={run(actions.onDisconnect)}>
              Disconnect
            </button>
            <button type="submit">Cancel</button>
          </div>
        </form>
      </dialog>
    </li>
  );
}

/** The accounts of the workspace with their health. */
export function Accounts({
  accounts,
  ...actions
}: { accounts: readonly Account[] } & AccountActions) {
  if (accounts.length === 0)
    return <p>The workspace has no accounts yet. Connect the first one below.</p>;
  return (
    <ul className="accounts">
      {accounts.map((account) => (
        <AccountItem key={account.id} account={account} actions={actions} />
      ))}
    </ul>
  );
}
