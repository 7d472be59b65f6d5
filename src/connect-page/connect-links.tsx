import { useEffect, useState, type FormEvent } from 'react';
import { networkName } from '../playground/network-name.js';
import { toLocalTime } from './accounts.js';
import type { ConnectApi, ConnectLink, Overview } from './connect-api.js';
import { CopyableText } from './networks.js';
import { namesOf } from './returned.js';

/** The links of the workspace, for those who manage them. */
export function ConnectLinks({
  api,
  overview: { networks },
}: {
  api: Pick<ConnectApi, 'links' | 'createLink' | 'revokeLink'>;
  overview: Pick<Overview, 'networks'>;
}) {
  const [links, setLinks] = useState<readonly ConnectLink[] | null>(null);
  const [created, setCreated] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => void api.links().then(setLinks), [api]);
  if (!links) return null;

  const run = (work: () => Promise<string | null>): void => {
    setIsBusy(true);
    setProblem(null);
    void work()
      .then(async (url) => {
        setCreated(url);
        setLinks(await api.links());
      })
      .catch((error: Error) => setProblem(error.message))
      .finally(() => setIsBusy(false));
  };
  const create = (event: FormEvent): void => {
    event.preventDefault();
    const entered = new FormData(event.target as HTMLFormElement).get('network') as string;
    run(() => api.createLink(entered === '' ? null : entered));
  };
  return (
    <section className="links" aria-labelledby="links">
      <h2 id="links">Links for the owners of accounts</h2>
      <p>
        With a link, a person without a key connects their own accounts to this workspace, and can
        do nothing else. It ends after 24 hours.
      </p>
      <form onSubmit={create}>
        <label>
          <span>Network</span>
          <select name="network">
            <option value="">All networks</option>
            {networks
              .filter(({ connects }) => connects.length > 0)
              .map(({ network }) => (
                <option key={network} value={network}>
                  {networkName(network)}
                </option>
              ))}
          </select>
        </label>
        <button type="submit" disabled={isBusy}>
          Create link
        </button>
      </form>
      <div role="status" aria-live="polite">
        {problem && <p className="problem">{problem}</p>}
        {created && (
          <p className="done">
            Send this address to the owner of the account. It is shown once:{' '}
            <CopyableText text={created} label="the link" />
          </p>
        )}
      </div>
      <ul>
        {links.map(({ id, networks: allowed, expiresAt }) => (
          <li key={id} data-link-id={id}>
            <span>
              {allowed.length > 3
                ? `${allowed.length} networks`
                : namesOf(allowed.map((network) => networkName(network)))}
              , until <time dateTime={expiresAt}>{toLocalTime(expiresAt)}</time>
            </span>{' '}
            <button
              type="button"
              disabled={isBusy}
              onClick={() => run(() => api.revokeLink(id).then(() => null))}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
